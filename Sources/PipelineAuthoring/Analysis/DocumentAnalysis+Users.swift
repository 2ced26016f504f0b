public import PipelineDocument

/// A name that a file of definitions gives to the pipelines that use it.
public struct SharedName: Hashable, Sendable {
  let symbol: DocumentIndex.Symbol
}

extension DocumentAnalysis {
  /// The name at a position, if the document is a file of definitions and other files can use it.
  public func sharedName(at position: TextPosition) -> SharedName? {
    guard index.root == .definitions, let symbol = occurrence(at: position)?.symbol else {
      return nil
    }
    switch symbol {
    case .policy, .credential: return SharedName(symbol: symbol)
    default: return nil
    }
  }

  /// The replacements that rename what a used file declares; none if this document does not use the file, or
  /// has a declaration of its own.
  ///
  /// - Parameters:
  ///   - shared: The name in the used file.
  ///   - path: The used file, in the form of ``file``.
  ///   - name: The new name.
  /// - Throws: ``RenameRefusal`` if this document declares `name` itself, or is not valid YAML.
  public func rename(
    _ shared: SharedName, of path: String, to name: String
  ) throws(RenameRefusal) -> [Diagnostic.Fix] {
    let index = index
    let own = DocumentPath.resolve(path, from: "")
    guard index.files.contains(where: { DocumentPath.resolve($0.value, from: file) == own }),
      definition(of: shared.symbol) == nil
    else { return [] }
    let places = places(of: shared.symbol, includingDefinition: false)
    guard !places.isEmpty else { return [] }
    guard index.isExact else {
      throw RenameRefusal(message: "'\(file)' is not valid YAML; fix it first")
    }
    do throws(RenameRefusal) {
      try checkShared(name, for: shared.symbol)
    } catch {
      throw RenameRefusal(message: "in '\(file)' \(error.message)")
    }
    return places.map { Diagnostic.Fix(range: $0, replacement: name) }
  }

  /// Refuses a name that the document gives to another policy, or to other credentials.
  func checkShared(_ name: String, for symbol: Symbol) throws(RenameRefusal) {
    switch symbol {
    case .policy:
      if index.policies.contains(where: { $0.name.value == name }) {
        throw RenameRefusal(message: "there is already a retry policy '\(name)'")
      }
    case .credential:
      if index.credentials.contains(where: { $0.name.value == name }) {
        throw RenameRefusal(message: "there are already credentials '\(name)'")
      }
    default: break
    }
  }
}

extension DocumentIndex.Shared {
  /// Whether a used file declares the name.
  func declares(_ symbol: DocumentIndex.Symbol) -> Bool {
    switch symbol {
    case .policy(let name): policies.contains(name)
    case .credential(let name): credentials.contains(name)
    default: false
    }
  }
}
