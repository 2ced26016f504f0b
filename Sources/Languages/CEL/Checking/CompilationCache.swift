/// Caches compilations, so that a text repeated in one document is compiled once.
///
/// Only for environments with the same functions and macros. A compilation is reused if every name that was looked up
/// for it has the same declaration. One with issues is not reused, because suggestions depend on all declarations.
public final class CompilationCache {
  /// A name that was looked up, and the type of its variable; `nil` if it is not declared.
  typealias LookUp = (name: String, type: ValueType?)
  private var known: [String: (lookUps: [LookUp], compilation: Compilation)] = [:]

  /// An empty cache.
  public init() {}

  func compilation(of source: String, in environment: Environment) -> Compilation? {
    guard let entry = known[source] else { return nil }
    let isSame = entry.lookUps.allSatisfy { name, type in
      switch environment.declarations[name] {
      case .variable(let found)?: found == type
      case .constant?, .definition?: false
      case nil: type == nil
      }
    }
    return isSame ? entry.compilation : nil
  }

  func add(_ compilation: Compilation, of source: String, _ lookUps: [LookUp]) {
    known[source] = (lookUps, compilation)
  }
}
