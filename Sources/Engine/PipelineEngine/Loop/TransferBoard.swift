import Synchronization

/// How far the transfers of this process are.
final class TransferBoard: Sendable {
  struct Transfer: Hashable, Sendable {
    var bytes: Int64 = 0
    var size: Int64?
    let isDownload: Bool
    var offset: Int64 = 0
    var number = 0
  }

  struct Content: Sendable {
    var transfers: [EffectID: Transfer] = [:]
    fileprivate var count = 0
  }

  private let content = Mutex(Content())
  var now: Content { content.withLock { $0 } }

  func begin(_ id: EffectID, _ transfer: Transfer) {
    content.withLock { content in
      content.count += 1
      var transfer = transfer
      transfer.number = content.count
      content.transfers[id] = transfer
    }
  }

  func note(_ id: EffectID, bytes: Int64) { content.withLock { $0.transfers[id]?.bytes = bytes } }
  func note(_ id: EffectID, size: Int64) { content.withLock { $0.transfers[id]?.size = size } }

  /// The transfer has ended; returns the bytes that it moved, if any.
  func end(_ id: EffectID) -> Event? {
    let ended = content.withLock { $0.transfers.removeValue(forKey: id) }
    guard let ended, ended.bytes > 0 else { return nil }
    return .moved(id, from: ended.offset, to: ended.offset + ended.bytes)
  }
}

/// Where the interpreter reports transfers.
struct TransferReport: Sendable {
  let id: EffectID
  let board: TransferBoard

  func begin(size: Int64?, isDownload: Bool, from offset: Int64 = 0) {
    board.begin(id, TransferBoard.Transfer(size: size, isDownload: isDownload, offset: offset))
  }

  func note(_ bytes: Int64) { board.note(id, bytes: bytes) }
}

/// A sink that reports the file's size as soon as the server does, and whether it made progress.
final class MeasuredSink: FileSink {
  private let sink: any FileSink
  private let report: TransferReport
  private let state = Mutex((isContinued: false, hasProgressed: false))

  init(sink: any FileSink, report: TransferReport) { (self.sink, self.report) = (sink, report) }

  /// Whether bytes came in addition to those of earlier attempts.
  var hasProgressed: Bool { state.withLock { $0.hasProgressed } }

  func append(_ bytes: [UInt8]) async throws(FileFailure) {
    try await sink.append(bytes)
    state.withLock { $0.hasProgressed = $0.isContinued && ($0.hasProgressed || !bytes.isEmpty) }
  }

  func begin(_ representation: Representation) async throws(FileFailure) {
    note(representation)
    state.withLock { $0 = (false, false) }
    try await sink.begin(representation)
  }

  func received() async throws(FileFailure) -> PartialDownload? {
    let partial = try await sink.received()
    if let partial { note(partial.representation) }
    state.withLock { $0.isContinued = (partial?.received ?? 0) > 0 }
    return partial
  }

  func publish(contentType: String?) async throws(FileFailure) -> FileValue {
    try await sink.publish(contentType: contentType)
  }

  func suspend() async { await sink.suspend() }
  func discard() async { await sink.discard() }

  private func note(_ representation: Representation) {
    if let size = representation.size { report.board.note(report.id, size: size) }
  }
}
