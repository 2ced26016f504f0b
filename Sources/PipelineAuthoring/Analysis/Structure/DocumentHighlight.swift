public import Basics
public import PipelineDocument

/// A place that has the name under the cursor.
public struct DocumentHighlight: Hashable, Sendable {
  /// How the name is used there.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Its value is read, or it is named.
    case read
    /// It is declared, which gives it its value.
    case write
  }

  /// The place.
  public let range: TextRange
  /// The use.
  public let kind: Kind
}

extension DocumentAnalysis {
  /// All places of the name at a position, in text order; empty if the position is at none.
  public func highlights(at position: SourcePosition) -> [DocumentHighlight] {
    guard let symbol = occurrence(at: position)?.symbol else { return [] }
    return index.occurrences.filter { $0.symbol == symbol }
      .map { DocumentHighlight(range: $0.range, kind: $0.isDefinition ? .write : .read) }
      .sorted { $0.range.start < $1.range.start }
  }
}
