package struct Visibility {
  package private(set) var asking: Environment
  private(set) var answering: Environment

  package init(_ base: Environment) {
    asking = base
    answering = base.declaring(Variables.response)
  }

  mutating func define(_ name: String, as expression: CompiledExpression) {
    asking.define(name, as: expression)
    answering.define(name, as: expression)
  }

  mutating func defineAnswering(_ name: String, as expression: CompiledExpression) {
    answering.define(name, as: expression)
  }

  package mutating func declare(_ name: String, constant value: Value) {
    asking.declare(name, constant: value)
    answering.declare(name, constant: value)
  }

  package func answering(with type: ValueType?) -> Environment {
    type.map { answering.declaring("response.json", as: $0) } ?? answering
  }

  package mutating func declare(_ name: String, as type: ValueType) {
    asking.declare(name, as: type)
    answering.declare(name, as: type)
  }

  mutating func declare(_ names: [(name: String, type: ValueType)]) {
    asking = asking.declaring(names)
    answering = answering.declaring(names)
  }
}

struct UseCollector {
  private struct Key: Hashable {
    package let step: Int
    package let output: Int?
  }

  /// The number of uses from which a table is used; nearly every step has fewer.
  private static let large = 12
  private(set) var uses: [OutputUse] = []
  private var places: [Key: Int] = [:]

  /// Adds one use; an output read both ways counts as identifying.
  package mutating func add(step: Int, output: Int?, isCredential credential: Bool) {
    let key = Key(step: step, output: output)
    if let place = place(of: key) {
      guard uses[place].isCredential, !credential else { return }
      uses[place] = OutputUse(step: step, output: output, isCredential: false)
      return
    }
    uses.append(OutputUse(step: step, output: output, isCredential: credential))
    if uses.count == Self.large {
      for (place, use) in uses.enumerated() {
        places[Key(step: use.step, output: use.output)] = place
      }
    } else if uses.count > Self.large {
      places[key] = uses.count - 1
    }
  }

  private func place(of key: Key) -> Int? {
    uses.count < Self.large
      ? uses.firstIndex { $0.step == key.step && $0.output == key.output } : places[key]
  }
}

/// Headers whose value only authorizes, in lower case.
enum CredentialHeaders {
  package static let names: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token",
    "x-access-token", "x-amz-security-token", "x-goog-api-key", "private-token", "x-csrf-token",
  ]
}
