import PipelineCore

/// What a server has of items' files that it gets in pieces.
///
/// That a run reports no item as done before the server has each byte of its file is a law of simulations: without it, a
/// server that calls a film complete after its first piece makes any pipeline look fast.
struct ReceivedPieces: Sendable {
  /// The ranges of the items' own files.
  private var ranges: [ItemKey: [Range<Int64>]] = [:]

  /// Adds the pieces of the item's file among those of a body; without any, the item is noted as one that sends its file in pieces.
  mutating func note(_ pieces: [Body.Piece], of scope: Scope) {
    guard let item = scope.item?.whole, case .file(let subject)? = scope.subject else { return }
    for case .file(let file, let offset, let length) in pieces where file.path == subject.path {
      ranges[item, default: []].append(offset..<(offset + length))
    }
    if pieces.isEmpty { ranges[item, default: []] += [] }
  }

  /// The bytes of the file of an item that sends it in pieces, if not all of them are there.
  func shortfall(of item: ItemKey, _ file: FileValue) -> Int64? {
    guard let known = ranges[item.whole] else { return nil }
    var (bytes, end): (Int64, Int64) = (0, 0)
    for range in known.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      bytes += max(range.upperBound - max(range.lowerBound, end), 0)
      end = max(end, range.upperBound)
    }
    return bytes < file.size ? bytes : nil
  }
}
