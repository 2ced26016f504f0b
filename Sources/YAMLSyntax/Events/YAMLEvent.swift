/// One event of a YAML stream (YAML 1.2.2 §3.1.2), with its place.
public struct YAMLEvent: Hashable, Sendable {
  /// What happens.
  public enum Kind: Hashable, Sendable {
    /// The stream begins.
    case streamStart
    /// The stream is over; the last event.
    case streamEnd
    /// A document begins; `explicit` where `---` stands.
    case documentStart(explicit: Bool)
    /// A document ends; `explicit` where `...` stands.
    case documentEnd(explicit: Bool)
    /// A node that repeats the node of the anchor `name`.
    case alias(name: String)
    /// A scalar.
    case scalar(YAMLScalar, anchor: String?)
    /// A sequence begins; `isFlow` where it is written `[…]`.
    case sequenceStart(anchor: String?, tag: String?, isFlow: Bool)
    /// The innermost open sequence ends.
    case sequenceEnd
    /// A mapping begins; `isFlow` where it is written `{…}`.
    case mappingStart(anchor: String?, tag: String?, isFlow: Bool)
    /// The innermost open mapping ends.
    case mappingEnd
  }

  /// What happens.
  public let kind: Kind
  /// Where it happens.
  ///
  /// The start includes an anchor or a tag; the end of a block collection is an empty range at
  /// the next token, as libyaml says.
  public let range: SourceRange
}

/// The flat view of a stream: any number of documents, nothing resolved.
public struct YAMLEvents: Sendable {
  /// The events in order; they stop where ``issue`` stands.
  public let events: [YAMLEvent]
  /// What ended the parse before the end of the text, or nil.
  public let issue: YAMLIssue?

  /// Parses a UTF-8 text, a byte order mark allowed, into events.
  public static func parse(
    _ bytes: some Sequence<UInt8>, limits: YAMLLimits = .standard
  ) -> YAMLEvents {
    let (source, flaw) = SourceText.scan(Array(bytes))
    if let flaw { return YAMLEvents(events: [], issue: flaw) }
    var events: [YAMLEvent] = []
    do throws(ParseFailure) {
      try EventReader.read(source, limits: limits) { event throws(ParseFailure) in
        events.append(event)
        return true
      }
      return YAMLEvents(events: events, issue: nil)
    } catch {
      return YAMLEvents(events: events, issue: error.issue)
    }
  }

  /// Parses a string into events.
  public static func parse(_ text: String, limits: YAMLLimits = .standard) -> YAMLEvents {
    parse(text.utf8, limits: limits)
  }
}
