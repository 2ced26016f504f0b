/// One event of a YAML stream (YAML 1.2.2 §3.1.2), with its range.
public struct YAMLEvent: Hashable, Sendable {
  /// What begins, ends or stands at a place (YAML 1.2.2 §3.1).
  public enum Kind: Hashable, Sendable {
    case streamStart, streamEnd, sequenceEnd, mappingEnd
    case documentStart(explicit: Bool)
    case documentEnd(explicit: Bool)
    case alias(name: String)
    case scalar(YAMLScalar, anchor: String?)
    case sequenceStart(anchor: String?, tag: String?, isFlow: Bool)
    case mappingStart(anchor: String?, tag: String?, isFlow: Bool)
  }

  /// The kind of event.
  public let kind: Kind
  /// The range with anchor and tag; a block collection ends with an empty range at the next token.
  public let range: SourceRange
}

/// The flat view of a stream: any number of documents, nothing resolved.
public struct YAMLEvents: Sendable {
  /// The events in order, up to ``issue``.
  public let events: [YAMLEvent]
  /// The issue that ended the parse early, or nil.
  public let issue: YAMLIssue?

  /// Parses a UTF-8 text, a byte order mark allowed, into events.
  public static func parse(
    _ bytes: some Sequence<UInt8>, limits: YAMLLimits = .standard
  ) -> YAMLEvents {
    let (source, flaw) = SourceText.scan(Array(bytes))
    if let flaw { return YAMLEvents(events: [], issue: flaw) }
    var events: [YAMLEvent] = []
    do throws(YAMLIssue) {
      try EventReader.read(source, limits: limits) { event throws(YAMLIssue) in
        events.append(event)
        return true
      }
      return YAMLEvents(events: events, issue: nil)
    } catch { return YAMLEvents(events: events, issue: error) }
  }

  /// Parses a string into events.
  public static func parse(_ text: String, limits: YAMLLimits = .standard) -> YAMLEvents {
    parse(text.utf8, limits: limits)
  }
}
