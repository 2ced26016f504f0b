/// Decides whether no two items, of this run or another, can send the same hand-written key: trials cannot show that.
struct KeyUniqueness {
  /// The loop variable; `nil` for run-level steps.
  private let variable: String?

  init(_ step: Step, _ pipeline: Pipeline) {
    variable = step.loop.map { pipeline.loops[$0].variable }
  }

  /// Whether a part of the key is enough to distinguish items.
  func holds(of key: Template) -> Bool {
    key.expressions.contains { expression in
      isUnique(Self.environment.compile(expression.compiled.source, isChecked: false).syntax)
    }
  }

  private static let environment = Environment(libraries: Library.all)
  /// Digests that are unique to their content.
  private static let digests = ["md5", "sha1", "sha256", "sha512", "sha256_blocks_4mib"]
  /// Functions whose results differ if an argument does.
  private static let injective: Set<String> = [
    "_+_", "string", "hex", "base64.encode", "base64UrlEncode", "urlEscape", "urlEscapePath",
    "formEscape", "bytes", "md5", "sha1", "sha256", "sha384", "sha512", "sha256_blocks_4mib",
    "hmac_sha1", "hmac_sha256",
  ]

  private func isUnique(_ syntax: Syntax) -> Bool {
    if let path = syntax.path?.names.map(\.name) { return isName(path) }
    switch syntax.kind {
    case .call(let function, let target, let arguments):
      guard Self.injective.contains(function.name) else { return false }
      return (arguments + [target].compactMap { $0 }).contains(where: isUnique)
    case .conditional(_, let first, let second): return isUnique(first) && isUnique(second)
    default: return false
    }
  }

  /// `item.key`, which is random, or the digest of the step's subject.
  private func isName(_ path: [String]) -> Bool {
    if path == ["item", "key"] { return true }
    guard let digest = path.last, Self.digests.contains(digest) else { return false }
    if let variable { return path == [variable, digest] }
    return path.count == 3 && path[0] == "inputs"
  }
}
