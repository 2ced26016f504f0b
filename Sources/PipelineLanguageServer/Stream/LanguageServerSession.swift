public import PipelineDocument

/// A language server at the end of a stream of bytes.
///
/// ```swift
/// var session = LanguageServerSession(version: "1.0")
/// let status = session.run(read: { input.next() }, write: { output.append($0) })
/// ```
public struct LanguageServerSession {
  private var frames = FrameReader()
  private var server: LanguageServer

  /// Makes a server that tells clients its `version`; `files` gives the files beside the one at a path.
  public init(
    version: String, files: @escaping @Sendable (String) -> DocumentFiles = { _ in .none }
  ) {
    server = LanguageServer(version: version, files: files)
  }

  /// What the process is to end with, once the client said `exit`: 0 after `shutdown`, else 1.
  public var exitStatus: Int32? { server.exitStatus }

  /// Takes the next bytes from the client, and gives the bytes that are to be sent to it.
  ///
  /// Messages that come together are answered together: a request that is cancelled by then is not worked on, and a text
  /// that changed several times is checked once.
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

  /// Reads and answers until the client says `exit` or its stream ends.
  ///
  /// - Parameters:
  ///   - read: Waits for bytes; none at the end of the stream.
  ///   - write: Sends bytes to the client.
  /// - Returns: What the process is to end with; 1 where the stream ended without `exit`.
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
