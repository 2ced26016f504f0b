import AsyncHTTPClient
import NIOCore
import NIOPosix

/// Streams a file into a request: one chunk is read while the one before it is on its way.
///
/// `@unchecked`: everything mutable is touched on `loop` only, which is the loop of the request's connection too.
final class FileUpload: @unchecked Sendable {
  /// Large enough that a chunk costs little beside its copying.
  private static let largestChunk = 512 * 1024
  /// Small enough that a slow connection shows progress now and then.
  private static let smallestChunk = 32 * 1024
  /// A chunk that takes longer is followed by smaller ones.
  private static let longestWrite: TimeAmount = .seconds(1)
  private static let progressInterval: TimeAmount = .milliseconds(200)

  private let file: BodyFile
  private let pool: NIOThreadPool
  private let loop: any EventLoop
  private let watch: StallWatch?
  private let progress: @Sendable (Int64) -> Void
  private var chunkSize = 64 * 1024
  private var writer: HTTPClient.Body.StreamWriter?
  private var promise: EventLoopPromise<Void>?
  private var sent: Int64 = 0
  private var lastProgress: NIODeadline = .uptimeNanoseconds(0)

  /// Whether the whole body was given to the connection.
  private(set) var isFinished = false

  init(
    _ file: BodyFile, pool: NIOThreadPool, loop: any EventLoop, watch: StallWatch?,
    progress: @escaping @Sendable (Int64) -> Void
  ) {
    self.file = file
    self.pool = pool
    self.loop = loop
    self.watch = watch
    self.progress = progress
  }

  /// The body for the client; its length is known, so that the server sees a `Content-Length`.
  var body: HTTPClient.Body {
    .stream(contentLength: file.size) { [self] writer in
      let promise = loop.makePromise(of: Void.self)
      loop.execute { self.start(writer, promise) }
      return promise.futureResult
    }
  }

  /// Ends the stream where the request has ended before it.
  func stop() {
    loop.execute { self.end(.failure(Stop.answeredEarly)) }
  }

  private func start(_ writer: HTTPClient.Body.StreamWriter, _ promise: EventLoopPromise<Void>) {
    self.writer = writer
    self.promise = promise
    advance(read(at: 0), at: 0)
  }

  private func read(at offset: Int64) -> EventLoopFuture<ByteBuffer> {
    let count = Int(min(Int64(chunkSize), file.size - offset))
    let file = file
    return pool.runIfActive(eventLoop: loop) {
      try file.read(at: offset, count: count, ByteBufferAllocator())
    }
  }

  /// Writes the chunk at `offset` once it is read, and begins to read the next.
  private func advance(_ chunk: EventLoopFuture<ByteBuffer>, at offset: Int64) {
    chunk.whenComplete { result in
      guard let writer = self.writer else { return }
      switch result {
      case .failure(let error): self.end(.failure(error))
      case .success(let buffer):
        let next = offset + Int64(buffer.readableBytes)
        let following = next < self.file.size ? self.read(at: next) : nil
        // The future is the connection's demand: it waits while earlier bytes are not on the wire.
        let begun = NIODeadline.now()
        writer.write(.byteBuffer(buffer)).whenComplete { result in
          self.adapt(to: .now() - begun)
          self.didWrite(upTo: next, result, following)
        }
      }
    }
  }

  private func didWrite(
    upTo offset: Int64, _ result: Result<Void, any Error>, _ following: EventLoopFuture<ByteBuffer>?
  ) {
    guard case .success = result else { return end(result) }
    sent = offset
    watch?.note()
    report()
    if let following {
      advance(following, at: offset)
    } else {
      isFinished = true
      end(result)
    }
  }

  private func adapt(to duration: TimeAmount) {
    chunkSize =
      duration > Self.longestWrite
      ? max(chunkSize / 2, Self.smallestChunk) : min(chunkSize * 2, Self.largestChunk)
  }

  private func report() {
    let now = NIODeadline.now()
    guard sent == file.size || now - lastProgress >= Self.progressInterval else { return }
    lastProgress = now
    progress(sent)
  }

  private func end(_ result: Result<Void, any Error>) {
    writer = nil
    promise?.completeWith(result)
    promise = nil
  }
}
