import CLibYAML

struct EventReader: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let source: SourceText
  private let breaks: ForeignBreaks

  /// Hands each event to `receive` until that returns false or the stream ends.
  static func read(
    _ source: SourceText, limits: YAMLLimits,
    receive: (consuming YAMLEvent) throws(YAMLIssue) -> Bool
  ) throws(YAMLIssue) {
    try check(source, limits: limits)
    let breaks = ForeignBreaks(in: source)
    let text = source.hasForeignBreaks ? breaks.replaced(source.bytes[...]) : source.bytes
    // A result crosses the closure because `withUnsafeBufferPointer` does not carry typed errors
    // of a borrowing closure on every toolchain that we build with.
    let result: Result<Void, YAMLIssue> = text.withUnsafeBufferPointer { buffer in
      do throws(YAMLIssue) {
        let reader = try EventReader(
          source, breaks, input: UnsafeBufferPointer(rebasing: buffer[source.start...]))
        while let event = try reader.next() { if try !receive(event) { break } }
        return .success(())
      } catch { return .failure(error) }
    }
    try result.get()
  }

  private static func check(_ source: SourceText, limits: YAMLLimits) throws(YAMLIssue) {
    guard source.bytes.count > limits.bytes else { return }
    let place = SourcePosition(line: 1, column: 1, offset: source.start)
    throw YAMLIssue(
      .tooLarge, "the file has \(source.bytes.count) bytes; the limit is \(limits.bytes)",
      at: SourceRange(start: place, end: place))
  }

  private init(
    _ source: SourceText, _ breaks: ForeignBreaks, input: UnsafeBufferPointer<UInt8>
  ) throws(YAMLIssue) {
    (self.source, self.breaks) = (source, breaks)
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    guard yaml_parser_initialize(parser) == 1 else { throw SyntaxProblem.outOfMemory(in: source) }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  private borrowing func next() throws(YAMLIssue) -> YAMLEvent? {
    var raw = yaml_event_t()
    guard yaml_parser_parse(parser, &raw) == 1
    else { throw SyntaxProblem.issue(parser.pointee, in: source) }
    defer { yaml_event_delete(&raw) }
    guard let kind = YAMLEvent.Kind(raw, breaks) else { return nil }
    let range = SourceRange(start: position(raw.start_mark), end: position(raw.end_mark))
    return YAMLEvent(kind: kind, range: range)
  }

  private borrowing func position(_ mark: yaml_mark_t) -> SourcePosition { source.position(mark) }
}

extension SourceText {
  func position(_ mark: yaml_mark_t) -> SourcePosition {
    position(
      scalarIndex: Int(clamping: mark.index), line: Int(clamping: mark.line),
      column: Int(clamping: mark.column))
  }
}

extension YAMLEvent.Kind {
  /// Nil for the event without a type, which libyaml returns after the end of the stream.
  fileprivate init?(_ raw: yaml_event_t, _ breaks: ForeignBreaks) {
    switch raw.type {
    case YAML_STREAM_START_EVENT: self = .streamStart
    case YAML_STREAM_END_EVENT: self = .streamEnd
    case YAML_DOCUMENT_START_EVENT:
      self = .documentStart(explicit: raw.data.document_start.implicit == 0)
    case YAML_DOCUMENT_END_EVENT: self = .documentEnd(explicit: raw.data.document_end.implicit == 0)
    case YAML_ALIAS_EVENT: self = .alias(name: Self.text(raw.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let data = raw.data.scalar
      let scalar = YAMLScalar(
        text: breaks.restored(
          String(
            decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)),
        style: YAMLScalar.Style(data.style), tag: Self.text(data.tag))
      self = .scalar(scalar, anchor: Self.text(data.anchor))
    case YAML_SEQUENCE_START_EVENT:
      let data = raw.data.sequence_start
      self = .sequenceStart(
        anchor: Self.text(data.anchor), tag: Self.text(data.tag),
        isFlow: data.style == YAML_FLOW_SEQUENCE_STYLE)
    case YAML_SEQUENCE_END_EVENT: self = .sequenceEnd
    case YAML_MAPPING_START_EVENT:
      let data = raw.data.mapping_start
      self = .mappingStart(
        anchor: Self.text(data.anchor), tag: Self.text(data.tag),
        isFlow: data.style == YAML_FLOW_MAPPING_STYLE)
    case YAML_MAPPING_END_EVENT: self = .mappingEnd
    default: return nil
    }
  }

  private static func text(_ bytes: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    bytes.map { String(cString: $0) }
  }
}

extension YAMLScalar.Style {
  fileprivate init(_ raw: yaml_scalar_style_t) {
    self =
      switch raw {
      case YAML_SINGLE_QUOTED_SCALAR_STYLE: .singleQuoted
      case YAML_DOUBLE_QUOTED_SCALAR_STYLE: .doubleQuoted
      case YAML_LITERAL_SCALAR_STYLE: .literal
      case YAML_FOLDED_SCALAR_STYLE: .folded
      default: .plain
      }
  }
}
