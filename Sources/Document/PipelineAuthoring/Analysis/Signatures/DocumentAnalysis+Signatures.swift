extension DocumentAnalysis {
  /// The signatures of the innermost function whose parentheses contain the position; `nil` outside of calls.
  public func signatureHelp(at position: SourcePosition) -> SignatureHelp? {
    let context = CursorContext(lines, at: lines.clamped(position))
    guard let expression = context.expression, let call = expression.call else { return nil }
    let types = TypeInference(index, in: CursorPlace(context, in: index).scope)
    let signatures = signatures(of: call, locals: expression.locals, types)
    guard !signatures.isEmpty else { return nil }
    guard let active = signatures.firstIndex(where: { $0.takes(call.argument) }) else {
      return SignatureHelp(
        signatures: signatures, activeSignature: 0, activeParameter: call.argument)
    }
    // `…` is any number of arguments.
    let last = max(signatures[active].parameters.count - 1, 0)
    return SignatureHelp(
      signatures: signatures, activeSignature: active, activeParameter: min(call.argument, last))
  }

  private func signatures(
    of call: ExpressionNames.Call, locals: [String], _ types: TypeInference
  ) -> [SignatureHelp.Signature] {
    let environment = types.environment
    guard let receiver = call.receiver else {
      return signatures(
        ofFunction: call.name, environment.overloads(of: call.name).filter { !$0.isMethod },
        macro: FunctionReference.macro(call.name).flatMap { $0.target == nil ? $0 : nil })
    }
    let isLocal = locals.contains(String(receiver.prefix { $0 != "." }))
    let qualified = "\(receiver).\(call.name)"
    if !isLocal {
      let found = signatures(
        ofFunction: qualified, environment.overloads(of: qualified),
        macro: FunctionReference.macro(qualified))
      if !found.isEmpty { return found }
    }
    let methods = environment.overloads(of: call.name).filter(\.isMethod)
    let type = isLocal ? .dyn : types.type(of: receiver) ?? .dyn
    let fitting = methods.filter { $0.parameters.first.map(type.isAssignable) == true }
    return signatures(
      ofFunction: call.name, fitting.isEmpty ? methods : fitting,
      macro: FunctionReference.macro(call.name).flatMap { $0.target == nil ? nil : $0 })
  }

  private func signatures(
    ofFunction name: String, _ overloads: [Overload], macro: FunctionReference.Macro?
  ) -> [SignatureHelp.Signature] {
    if let macro { return [macro.help] }
    return overloads.map { overload in
      let isMethod = overload.isMethod
      let types = isMethod ? overload.parameters.dropFirst() : overload.parameters[...]
      let names = FunctionReference.parameters(of: name, isMethod: isMethod)
      let parameters = zip(types.indices, types).map { index, type in
        let number = index - types.startIndex
        return number < names.count ? "\(names[number]): \(type)" : type.description
      }
      let target = isMethod ? overload.parameters.first.map { "\($0)." } ?? "" : ""
      return SignatureHelp.Signature(
        head: "\(target)\(name)(", parameters: parameters, tail: ") -> \(overload.result)",
        documentation: FunctionReference.summaries[name])
    }
  }
}

extension SignatureHelp.Signature {
  fileprivate func takes(_ argument: Int) -> Bool {
    argument < max(parameters.count, 1) || label.contains("…")
  }

  init(head: String, parameters: [String], tail: String, documentation: String?) {
    var label = head
    var ranges: [Range<Int>] = []
    for (index, parameter) in parameters.enumerated() {
      if index > 0 { label += ", " }
      let start = label.unicodeScalars.count
      label += parameter
      ranges.append(start..<label.unicodeScalars.count)
    }
    self.init(label: label + tail, parameters: ranges, documentation: documentation)
  }
}

extension FunctionReference.Macro {
  fileprivate var help: SignatureHelp.Signature {
    guard let open = signature.firstIndex(of: "("), let close = signature.lastIndex(of: ")") else {
      return SignatureHelp.Signature(label: signature, parameters: [], documentation: summary)
    }
    let inner = signature[signature.index(after: open)..<close]
    return SignatureHelp.Signature(
      head: String(signature[...open]), parameters: Self.parts(of: inner),
      tail: String(signature[close...]), documentation: summary)
  }

  private static func parts(of text: Substring) -> [String] {
    var parts = [""]
    var depth = 0
    for character in text {
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append("")
      } else if !(character == " " && parts[parts.count - 1].isEmpty) {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}

/// The signatures of the function whose arguments are being written.
public struct SignatureHelp: Hashable, Sendable {
  /// One way to call the function.
  public struct Signature: Hashable, Sendable {
    /// The whole call with names and types, such as `hex(bytes: bytes) -> string`.
    public let label: String
    /// The ranges of the parameters in ``label``, in Unicode scalars; the receiver of a method does not count as one.
    public let parameters: [Range<Int>]
    /// The documentation, in Markdown.
    public let documentation: String?
  }

  /// All signatures with the function's name, in the order of the function's declaration.
  public let signatures: [Signature]
  /// The index of the first signature that has room for the arguments so far.
  public let activeSignature: Int
  /// The index of the argument at the cursor, which may be beyond the parameters.
  public let activeParameter: Int
}
