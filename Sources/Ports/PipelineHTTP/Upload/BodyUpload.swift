import NIOCore
import NIOPosix

/// Streams a body into a request: reads one chunk while the previous one is being sent.
///
/// `@unchecked`: all mutable state is used on `loop` only, which is also the loop of the request's connection.
final class BodyUpload: @unchecked Sendable {
  /// Large enough that the overhead per chunk is small.
  private static let largestChunk = 512 * 1024
  /// Small enough that a slow connection shows progress from time to time.
  private static let smallestChunk = 32 * 1024
  /// Chunks get smaller after one that takes longer than this.
  private static let longestWrite: TimeAmount = .seconds(1)
  private static let progressInterval: TimeAmount = .milliseconds(200)

  private let body: BodySource
  private let files: NIOThreadPool
  private let loop: any EventLoop
  private let watch: StallWatch?
  private let pacer: Pacer?
  private let check: DigestCheck?
  private var chunked: ChunkedBody?
  private let maySend: @Sendable () -> Bool
  private let progress: @Sendable (Int64) -> Void
  private var chunkSize = 64 * 1024
  private var connection: HTTPConnection?
  private var completion: ((Result<Void, any Error>) -> Void)?
  private(set) var sent: Int64 = 0
  private var lastProgress: NIODeadline = .uptimeNanoseconds(0)

  init(
    _ body: BodySource, files: NIOThreadPool, loop: any EventLoop, watch: StallWatch?,
    pacer: Pacer? = nil, check: DigestCheck? = nil, chunked: ChunkedBody? = nil,
    maySend: @escaping @Sendable () -> Bool, progress: @escaping @Sendable (Int64) -> Void
  ) {
    (self.body, self.files, self.loop, self.watch, self.pacer) = (body, files, loop, watch, pacer)
    (self.check, self.chunked, self.maySend) = (check, chunked, maySend)
    if let pacer { chunkSize = min(chunkSize, pacer.piece) }
    self.progress = progress
  }

  /// Sends the body; calls `completion` once, unless the upload is stopped before.
  func start(
    on connection: HTTPConnection, _ completion: @escaping (Result<Void, any Error>) -> Void
  ) {
    (self.connection, self.completion) = (connection, completion)
    advance(read(at: 0), at: 0)
  }

  func stop() {
    connection = nil
    completion = nil
  }

  private func read(at offset: Int64) -> EventLoopFuture<ByteBuffer> {
    let count = Int(min(Int64(chunkSize), body.size - offset))
    let (body, check) = (body, check)
    return files.runIfActive(eventLoop: loop) {
      let bytes = try body.read(at: offset, count: count, ByteBufferAllocator())
      // The last bytes are not sent if they would complete something else.
      try check?.add(bytes, isLast: offset + Int64(bytes.readableBytes) == body.size)
      return bytes
    }
  }

  /// Writes the chunk at `offset` once it is read, and starts reading the next.
  private func advance(_ chunk: EventLoopFuture<ByteBuffer>, at offset: Int64) {
    chunk.whenComplete { result in
      guard self.connection != nil else { return }
      switch result {
      case .failure(let error): self.end(.failure(error))
      case .success(let buffer):
        let next = offset + Int64(buffer.readableBytes)
        let following = next < self.body.size ? self.read(at: next) : nil
        self.pace(buffer.readableBytes).whenComplete { _ in
          self.write(buffer, upTo: next, following)
        }
      }
    }
  }

  private func pace(_ count: Int) -> EventLoopFuture<Void> {
    guard let moment = pacer?.moment(for: count), moment > .now()
    else { return loop.makeSucceededVoidFuture() }
    watch?.pause()
    return loop.wait(until: moment).map { self.watch?.resume() }
  }

  private func write(
    _ buffer: ByteBuffer, upTo next: Int64, _ following: EventLoopFuture<ByteBuffer>?
  ) {
    guard let connection else { return }
    guard maySend() else { return end(.failure(ExchangeFailure.interrupted)) }
    // The future is the connection's back-pressure: it waits while earlier bytes are not on the wire.
    let begun = NIODeadline.now()
    connection.write(chunked?.chunk(buffer) ?? buffer).whenComplete { result in
      self.adapt(to: .now() - begun)
      self.didWrite(upTo: next, result, following)
    }
  }

  private func didWrite(
    upTo offset: Int64, _ result: Result<Void, any Error>, _ following: EventLoopFuture<ByteBuffer>?
  ) {
    guard case .success = result else { return end(result) }
    sent = offset
    watch?.note()
    report()
    if let following { advance(following, at: offset) } else { finish() }
  }

  private func finish() {
    guard let chunked, let connection else { return end(.success(())) }
    guard maySend() else { return end(.failure(ExchangeFailure.interrupted)) }
    do {
      connection.write(try chunked.end()).whenComplete { self.end($0) }
    } catch { end(.failure(error)) }
  }

  private func adapt(to duration: TimeAmount) {
    chunkSize =
      duration > Self.longestWrite
      ? max(chunkSize / 2, Self.smallestChunk) : min(chunkSize * 2, Self.largestChunk)
    if let pacer { chunkSize = min(chunkSize, pacer.piece) }
  }

  private func report() {
    let now = NIODeadline.now()
    guard sent == body.size || now - lastProgress >= Self.progressInterval else { return }
    lastProgress = now
    progress(sent)
  }

  private func end(_ result: Result<Void, any Error>) {
    let completion = completion
    stop()
    completion?(result)
  }
}
