public import PipelineDocument

/// A language server connected to a stream of bytes, which checks documents at once: bytes in, bytes out.
///
/// ``LanguageServerLoop`` checks them while it reads on.
///
/// ```swift
/// var session = LanguageServerSession(version: "1.0")
/// output.append(session.receive(input.next()))
/// ```
public struct LanguageServerSession {
  private var frames = FrameReader()
  private var server: LanguageServer

  /// Makes a server that reports its `version` to clients; `files` provides the files next to a path, and diagnostics
  /// link to `pages`.
  public init(
    version: String, pages: RulePages? = nil,
    files: @escaping @Sendable (String) -> DocumentFiles = { _ in .none }
  ) { server = LanguageServer(version: version, pages: pages, files: files) }

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

  static func message(in frame: FrameReader.Frame) -> Result<Message, ResponseFailure> {
    switch frame {
    case .body(let body): Result { () throws(ResponseFailure) in try Message(body) }
    case .broken(let reason): .failure(ResponseFailure(id: nil, error: .parseError(reason)))
    }
  }
}
