import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Why we end a request ourselves.
enum Stop: Error {
  /// The task was cancelled.
  case interrupted
  /// The body is larger than the limit; the size where the head tells it, else what has come so far.
  case answerTooLarge(Int64)
  /// The server has refused the rest of the body, and its answer is all there.
  case answeredEarly
  /// The file that is taken in cannot be written, or is not the expected one.
  case sinkFailed
  /// Nothing has moved for so long.
  case stalled(Duration)
  /// The body file is not what it was.
  case fileChanged(String)
  /// The body file cannot be read.
  case fileUnreadable(String)
}

/// Takes in one answer.
///
/// `@unchecked`: each request runs on a connection of one event loop, which makes all calls; the transport reads the results
/// after the last call.
final class AnswerCollector: HTTPClientResponseDelegate, @unchecked Sendable {
  typealias Response = Void

  /// How long a server that refuses a body may take for the next bytes of its answer, where it does not tell its length.
  private static let graceTime: TimeAmount = .seconds(1)

  private let limit: Int
  private let hasBody: Bool
  /// What sends the body, where it is streamed.
  private let upload: FileUpload?
  /// What takes the body of a successful answer.
  private let download: FileDownload?
  private let watch: StallWatch?
  private var expected: Int64?
  private var grace: Scheduled<Void>?

  /// Whether the head of the request was given to the connection.
  private(set) var isHeadSent = false
  private(set) var head: HTTPResponseHead?
  private(set) var body = ByteBuffer()

  init(
    limit: Int, method: HTTPMethod, upload: FileUpload?, download: FileDownload?,
    watch: StallWatch?
  ) {
    self.limit = limit
    self.download = download
    self.watch = watch
    self.upload = upload
    hasBody = method != .HEAD
  }

  func didSendRequestHead(task: HTTPClient.Task<Void>, _ head: HTTPRequestHead) {
    isHeadSent = true
    watch?.begin { task.fail(reason: $0) }
  }

  func didReceiveHead(
    task: HTTPClient.Task<Void>, _ head: HTTPResponseHead
  ) -> EventLoopFuture<Void> {
    self.head = head
    watch?.note()
    if let ready = download?.begin(head, task.eventLoop) { return ready }
    if !hasBody || head.status == .notModified || head.status == .noContent {
      expected = 0
    } else if let length = head.headers.first(name: "content-length") {
      expected = Int64(length)
    }
    if let expected, expected > Int64(limit) {
      return task.eventLoop.makeFailedFuture(Stop.answerTooLarge(expected))
    }
    endEarly(task)
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didReceiveBodyPart(
    task: HTTPClient.Task<Void>, _ part: ByteBuffer
  ) -> EventLoopFuture<Void> {
    watch?.note()
    if let taken = download?.append(part, task.eventLoop) {
      // The disk may have been slow, too.
      return taken.map { self.watch?.note() }
    }
    let count = body.readableBytes + part.readableBytes
    guard count <= limit else {
      return task.eventLoop.makeFailedFuture(Stop.answerTooLarge(Int64(count)))
    }
    if body.readableBytes == 0 { body = part } else { body.writeImmutableBuffer(part) }
    endEarly(task)
    return task.eventLoop.makeSucceededVoidFuture()
  }

  func didFinishRequest(task: HTTPClient.Task<Void>) throws {}

  /// Ends a request whose body the server does not want.
  ///
  /// Once an answer of 300 or above has begun, the client sends no more of the body and closes the connection after the answer.
  /// It waits for the body's end all the same, which never comes; so we end the request when the answer is complete.
  private func endEarly(_ task: HTTPClient.Task<Void>) {
    guard let upload, !upload.isFinished, let head, head.status.code >= 300 else { return }
    grace?.cancel()
    if let expected {
      guard Int64(body.readableBytes) >= expected else { return }
      // Not from within this call, whose caller is about to go on with the request.
      task.eventLoop.execute { task.fail(reason: Stop.answeredEarly) }
    } else {
      grace = task.eventLoop.scheduleTask(in: Self.graceTime) {
        task.fail(reason: Stop.answeredEarly)
      }
    }
  }
}
