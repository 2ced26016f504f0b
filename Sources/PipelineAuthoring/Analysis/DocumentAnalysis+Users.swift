public import Basics
public import PipelineDocument
import PipelineScenarios

/// A name that other files have from this one: they use it, or test it.
public struct SharedName: Hashable, Sendable {
  let symbol: DocumentIndex.Symbol
}

extension DocumentAnalysis {
  /// The name at a position, if files that use or test this one can have it.
  public func sharedName(at position: SourcePosition) -> SharedName? {
    guard let symbol = occurrence(at: position)?.symbol else { return nil }
    switch symbol {
    case .policy, .credential: return index.root == .definitions ? SharedName(symbol: symbol) : nil
    case .input, .step, .output: return index.root == .pipeline ? SharedName(symbol: symbol) : nil
    case .rate, .value, .variable, .part: return nil
    }
  }

  /// The replacements that rename what another file declares; none if this document neither uses nor tests the file, or
  /// has a declaration of its own.
  ///
  /// - Parameters:
  ///   - shared: The name in the other file.
  ///   - path: The other file, in the form of ``file``.
  ///   - name: The new name.
  /// - Throws: ``RenameRefusal`` if this document declares `name` itself, or is not valid YAML.
  public func rename(
    _ shared: SharedName, of path: String, to name: String
  ) throws(RenameRefusal) -> [Diagnostic.Fix] {
    let places = places(of: shared.symbol, from: path)
    guard !places.isEmpty else { return [] }
    try refuse(if: !index.isExact, "'\(file)' is not valid YAML; fix it first")
    do throws(RenameRefusal) {
      try checkShared(name, for: shared.symbol)
    } catch {
      throw RenameRefusal(message: "in '\(file)' \(error.message)")
    }
    return places.map { Diagnostic.Fix(range: $0, replacement: name) }
  }

  /// The places that have a name from another file.
  private func places(of symbol: Symbol, from path: String) -> [TextRange] {
    let index = index
    let path = DocumentPath.resolve(path, from: "")
    func isOther(_ name: String) -> Bool { DocumentPath.resolve(name, from: file) == path }
    switch symbol {
    case .input(let name) where index.root == .pipeline:
      return index.uses.filter { isOther($0.file) }.flatMap(\.given)
        .filter { $0.value == name }.map(\.range)
    case .policy, .credential:
      guard definition(of: symbol) == nil else { return [] }
    case .input, .step, .output:
      guard index.root == .test else { return [] }
    case .rate, .value, .variable, .part: return []
    }
    guard index.files.contains(where: { isOther($0.value) }) else { return [] }
    return places(of: symbol, includingDefinition: false)
  }

  func refuse(
    if isRefused: Bool, _ message: @autoclosure () -> String
  ) throws(RenameRefusal) { if isRefused { throw RenameRefusal(message: message()) } }

  /// Refuses a name that the document gives to another policy, or to other credentials.
  func checkShared(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    switch symbol {
    case .policy:
      try refuse(
        if: index.policies.contains(where: { $0.name.value == name }),
        "there is already a retry policy '\(name)'")
    case .credential:
      try refuse(
        if: index.credentials.contains(where: { $0.name.value == name }),
        "there are already credentials '\(name)'")
    default: break
    }
  }
}

extension DocumentIndex.Shared {
  func declares(_ symbol: DocumentIndex.Symbol) -> Bool {
    switch symbol {
    case .policy(let name): policies.contains(name)
    case .credential(let name): credentials.contains(name)
    default: false
    }
  }
}
