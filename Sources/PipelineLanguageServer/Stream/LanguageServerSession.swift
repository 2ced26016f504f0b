public import PipelineDocument

/// A language server connected to a stream of bytes.
///
/// ```swift
/// var session = LanguageServerSession(version: "1.0")
/// let status = session.run(read: { input.next() }, write: { output.append($0) })
/// ```
public struct LanguageServerSession {
  private var frames = FrameReader()
  private var server: LanguageServer

  /// Makes a server that reports its `version` to clients; `files` provides the files next to a path.
  public init(
    version: String, files: @escaping @Sendable (String) -> DocumentFiles = { _ in .none }
  ) {
    server = LanguageServer(version: version, files: files)
  }

  /// The exit status, once the client has sent `exit`: 0 after `shutdown`, otherwise 1.
  public var exitStatus: Int32? { server.exitStatus }

  /// Receives the next bytes from the client, and returns the bytes to send to it.
  ///
  /// Messages that arrive together are handled together: a request cancelled meanwhile is not processed, and a text that
  /// changed several times is checked once.
  public mutating func receive(_ bytes: some Collection<UInt8>) -> [UInt8] {
    frames.append(bytes)
    var messages: [Result<Message, ResponseFailure>] = []
    while let frame = frames.next() { messages.append(Self.message(in: frame)) }
    return server.receive(messages).flatMap { FrameReader.frame($0.bytes) }
  }

  private static func message(in frame: FrameReader.Frame) -> Result<Message, ResponseFailure> {
    switch frame {
    case .body(let body):
      do throws(ResponseFailure) {
        return .success(try Message(body))
      } catch {
        return .failure(error)
      }
    case .broken(let reason):
      return .failure(ResponseFailure(id: nil, error: .parseError(reason)))
    }
  }

  /// Reads and responds until the client sends `exit` or its stream ends.
  ///
  /// - Parameters:
  ///   - read: Waits for bytes; returns none at the end of the stream.
  ///   - write: Sends bytes to the client.
  /// - Returns: The exit status; 1 if the stream ended without `exit`.
  public mutating func run<Failure: Error>(
    read: () throws(Failure) -> [UInt8], write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) -> Int32 {
    while true {
      let bytes = try read()
      guard !bytes.isEmpty else { return 1 }
      let answer = receive(bytes)
      if !answer.isEmpty { try write(answer) }
      if let exitStatus { return exitStatus }
    }
  }
}
