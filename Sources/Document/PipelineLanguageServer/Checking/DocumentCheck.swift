/// A document to check: a value, so that the server can accept changes while it runs on another thread.
public struct DocumentCheck: Sendable {
  /// The document's URI.
  public let uri: String
  let document: OpenDocument
  let analysis: DocumentAnalysis?
  let writer: DiagnosticWriter

  /// The result of a check.
  public struct Outcome: Sendable {
    let uri: String
    let edition: Int
    let message: Message
  }

  /// Checks the document; this is the slow part.
  public func run() -> Outcome {
    Outcome(uri: uri, edition: document.edition, message: writer.message(document, analysis))
  }
}

extension LanguageServer {
  /// Whether a document has changed since its diagnostics were sent.
  public var hasChecks: Bool { !unpublished.isEmpty }

  /// The next document to check; `nil` if the diagnostics of all have been sent or are being computed.
  public mutating func nextCheck() -> DocumentCheck? {
    while let uri = unpublished.first {
      unpublished.removeFirst()
      guard let document = documents[uri] else { continue }
      let files = files(beside: document)
      let analysis = document.isTooLarge ? nil : documents[uri]?.analysis(files)
      return DocumentCheck(
        uri: uri, document: documents[uri] ?? document, analysis: analysis, writer: writer)
    }
    return nil
  }

  /// Receives the outcome of a check; returns the diagnostics to send,
  /// unless the document has changed in the meantime.
  public func finish(_ outcome: DocumentCheck.Outcome) -> [Message] {
    documents[outcome.uri]?.edition == outcome.edition ? [outcome.message] : []
  }
}

/// When documents are checked: after a pause in typing as long as two checks, so that checks use at most a third of the time.
struct CheckSchedule: Sendable {
  static let longestPause = Duration.milliseconds(500)
  private(set) var changes = 0
  private var lastCheck = Duration.zero

  /// Notes a change; returns the pause after which it is due.
  mutating func change() -> Duration {
    changes += 1
    return min(lastCheck * 2, Self.longestPause)
  }

  /// Whether no change came after the one with this number.
  func isDue(_ change: Int) -> Bool { change == changes }
  mutating func finish(_ duration: Duration) { lastCheck = duration }
}
