import CEL

extension Library {
  /// Parameters of challenges.
  static let challengeFunctions: [Function] = [
    Function(
      "authParameter",
      .function(.string, .string, returns: .string) { (arguments, meter) throws(EvaluationError) in
        guard case (.string(let text), .string(let name)) = (arguments[0], arguments[1]) else {
          throw EvaluationError(.noSuchOverload, "'authParameter' takes two strings")
        }
        try meter.charge(text.utf8.count / 8)
        return .string(ChallengeParameters(text).value(of: name) ?? "")
      })
  ]
}

/// The parameters of the challenges in a `WWW-Authenticate` header (RFC 9110 §11.6.1).
struct ChallengeParameters {
  private var parameters: [(name: String, value: String)] = []

  /// Reads names with a token or a quoted string after `=`; anything else, such as the schemes, is skipped.
  init(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while !rest.isEmpty {
      let name = Self.token(&rest)
      guard !name.isEmpty else {
        rest.removeFirst()
        continue
      }
      guard rest.first == "=" else { continue }
      rest.removeFirst()
      parameters.append(
        (name.lowercased(), rest.first == "\"" ? Self.quoted(&rest) : Self.token(&rest)))
    }
  }

  /// The value of the first parameter with a name, ignoring case.
  func value(of name: String) -> String? {
    parameters.first { $0.name == name.lowercased() }?.value
  }

  private static func token(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = rest.first, !" \t,=\"".unicodeScalars.contains(scalar) {
      text.append(scalar)
      rest.removeFirst()
    }
    return String(text)
  }

  private static func quoted(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    rest.removeFirst()
    while let scalar = rest.popFirst(), scalar != "\"" {
      // A backslash quotes the character after it (§5.6.4).
      text.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
    }
    return String(text)
  }
}
