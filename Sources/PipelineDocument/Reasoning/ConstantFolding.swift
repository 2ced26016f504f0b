import CEL

enum ConstantFolding {
  package static func truth(of entry: Analysis.Entry) -> Bool? {
    truth(of: entry.syntax, in: entry)
  }

  private static func truth(of condition: Syntax, in entry: Analysis.Entry) -> Bool? {
    switch condition.kind {
    case .literal(.bool(let flag)): return flag
    case .and(let operands):
      let truths = operands.map { truth(of: $0, in: entry) }
      if truths.contains(false) { return false }
      return truths.allSatisfy { $0 == true } ? true : nil
    case .or(let operands):
      let truths = operands.map { truth(of: $0, in: entry) }
      if truths.contains(true) { return true }
      return truths.allSatisfy { $0 == false } ? false : nil
    case .call(let function, target: nil, let arguments)
    where function.name == "!_" && arguments.count == 1:
      return truth(of: arguments[0], in: entry).map { !$0 }
    case .conditional(let test, let first, let second):
      if let test = truth(of: test, in: entry) {
        return truth(of: test ? first : second, in: entry)
      }
      let truths = [truth(of: first, in: entry), truth(of: second, in: entry)]
      return truths[0] == truths[1] ? truths[0] : nil
    default:
      guard !readsVariable(condition) else { return nil }
      let compiled = Variables.base.compile(entry.text(condition)).expression
      guard let compiled, compiled.references.isEmpty,
        case .bool(let flag)? = try? compiled.evaluate()
      else { return nil }
      return flag
    }
  }

  /// Whether a name occurs that is not a library constant such as `MiB` or `kB`.
  private static func readsVariable(_ syntax: Syntax) -> Bool {
    syntax.contains { part in
      guard case .name(let name, _) = part.kind else { return false }
      return switch name {
      case "kB", "KiB", "MiB", "GiB", "TiB", "MB", "GB", "TB": false
      default: true
      }
    }
  }
}
