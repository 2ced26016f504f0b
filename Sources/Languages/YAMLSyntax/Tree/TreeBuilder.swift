/// Builds the trees of documents from events, and reports errors that the event level allows.
struct TreeBuilder {
  private struct Frame {
    let start: SourcePosition
    let anchor, tag: String?
    let isMapping, isFlow: Bool
    /// The number of nodes of open collections before its own.
    let firstChild: Int
    var expandedNodeCount = 1
    var height = 1

    mutating func count(_ node: YAMLNode) {
      expandedNodeCount += node.expandedNodeCount
      height = max(height, node.height + 1)
    }
  }

  private struct AnchorDefinition {
    let name: String
    let range: SourceRange
    var isUsed = false
  }

  /// The top nodes of the documents that ended.
  private(set) var roots: [YAMLNode] = []
  private let readsAll: Bool
  private let source: SourceText
  private let limits: YAMLLimits
  private var issues: [YAMLIssue] = []
  private var frames: [Frame] = []
  /// The nodes of all open collections in one array, so that none of them needs its own.
  private var children: [YAMLNode] = []
  private var anchors: [String: YAMLNode] = [:]
  private var definitions: [AnchorDefinition] = []
  /// The latest definition of each name: an anchor may be defined again, and then hides the earlier.
  private var latestDefinition: [String: Int] = [:]
  private var expandedNodeCount = 0
  private var documents = 0

  init(_ source: SourceText, limits: YAMLLimits, readsAll: Bool = false) {
    (self.source, self.limits, self.readsAll) = (source, limits, readsAll)
  }

  /// The trees of the first document, or of all; none if an issue ended the text.
  static func build(
    _ source: SourceText, limits: YAMLLimits, readsAll: Bool = false
  ) -> (roots: [YAMLNode], issues: [YAMLIssue]) {
    var builder = TreeBuilder(source, limits: limits, readsAll: readsAll)
    do throws(YAMLIssue) {
      try EventReader.read(source, limits: limits) { event throws(YAMLIssue) in
        try builder.receive(event)
      }
    } catch { return ([], builder.issues(endedBy: error)) }
    return (builder.roots, builder.issues(endedBy: nil))
  }

  mutating func receive(_ event: YAMLEvent) throws(YAMLIssue) -> Bool {
    switch event.kind {
    case .streamStart, .streamEnd, .documentEnd: break
    case .documentStart:
      documents += 1
      // Anchors belong to their document (YAML 1.2.2 §9.2).
      if readsAll { (anchors, latestDefinition) = ([:], [:]) }
      if documents > 1, !readsAll {
        let mark = source.character(at: event.range.start)
        report(
          .multipleDocuments, "a second document starts here, expected one document per file",
          at: event.range.start == event.range.end ? mark : event.range)
        return false
      }
    case .alias(let name): try addAlias(name, at: event.range)
    case .scalar(let scalar, let anchor): try addScalar(scalar, anchor: anchor, at: event.range)
    case .sequenceStart(let anchor, let tag, let isFlow):
      try open(isMapping: false, anchor: anchor, tag: tag, isFlow: isFlow, at: event.range)
    case .mappingStart(let anchor, let tag, let isFlow):
      try open(isMapping: true, anchor: anchor, tag: tag, isFlow: isFlow, at: event.range)
    case .sequenceEnd, .mappingEnd: try close(at: event.range)
    }
    return true
  }

  func issues(endedBy failure: YAMLIssue?) -> [YAMLIssue] {
    var all = issues
    if let failure {
      all.append(failure)
    } else {
      for definition in definitions where !definition.isUsed {
        all.append(
          YAMLIssue(
            .unusedAnchor, "the anchor '\(definition.name)' is never used",
            at: definition.range, severity: .warning))
      }
      if documents == 0 {
        all.append(
          YAMLIssue(
            .emptyDocument, "the file contains no document",
            at: source.range(source.start..<source.start)))
      }
    }
    return all.enumerated().sorted {
      ($0.element.range.start.offset, $0.offset) < ($1.element.range.start.offset, $1.offset)
    }.map(\.element)
  }

  private mutating func addScalar(
    _ scalar: YAMLScalar, anchor: String?, at range: SourceRange
  ) throws(YAMLIssue) {
    try count(1, at: range)
    try checkDepth(1, at: range)
    let exact = scalar.style.isBlock ? trimmed(range) : range
    if scalar.style == .plain, scalar.text.utf8.contains(UInt8(ascii: "$")),
      let issue = UnquotedExpression.issue(
        cutFrom: range.start.offset..<range.end.offset, in: source,
        isFlow: frames.contains(where: \.isFlow))
    {
      throw issue
    }
    if scalar.tag != nil, scalar.contradictsTag {
      report(
        .tagMismatch, "'\(scalar.text)' does not match the tag '\(scalar.tag ?? "")'", at: exact)
    }
    define(anchor, at: range)
    add(YAMLNode(.scalar(scalar), range: exact, anchor: anchor, tag: scalar.tag))
  }

  private mutating func addAlias(_ name: String, at range: SourceRange) throws(YAMLIssue) {
    let target = anchors[name]
    if let index = latestDefinition[name] { definitions[index].isUsed = true }
    if let target {
      try count(target.expandedNodeCount, at: range)
      try checkDepth(target.height, at: range)
    } else {
      try count(1, at: range)
      if latestDefinition[name] == nil {
        report(
          .undefinedAnchor, "unknown anchor '\(name)': it must be defined before this alias",
          at: range)
      } else {
        report(.recursiveAlias, "the alias '\(name)' is inside the node that it names", at: range)
      }
    }
    add(
      YAMLNode(
        .alias(name: name, target: target), range: range,
        expandedNodeCount: target?.expandedNodeCount ?? 1, height: target?.height ?? 1))
  }

  private mutating func open(
    isMapping: Bool, anchor: String?, tag: String?, isFlow: Bool, at range: SourceRange
  ) throws(YAMLIssue) {
    try count(1, at: range)
    try checkDepth(1, at: range)
    define(anchor, at: range)
    // A new definition hides the old node from aliases inside itself.
    if let anchor { anchors[anchor] = nil }
    frames.append(
      Frame(
        start: range.start, anchor: anchor, tag: tag, isMapping: isMapping, isFlow: isFlow,
        firstChild: children.count))
  }

  private mutating func close(at range: SourceRange) throws(YAMLIssue) {
    guard let frame = frames.popLast() else { return }
    // libyaml ends a block collection at the next token, which may be lines below.
    var end = range.end
    let own = frame.firstChild..<children.count
    if !frame.isFlow, !own.isEmpty {
      end = max(frame.start, children[own.upperBound - 1].range.end)
    }
    let content: YAMLNode.Content
    if frame.isMapping {
      var entries: [YAMLEntry] = []
      entries.reserveCapacity(own.count / 2)
      for index in stride(from: own.lowerBound, to: own.upperBound - 1, by: 2) {
        entries.append(YAMLEntry(key: children[index], value: children[index + 1]))
      }
      KeyRules.check(entries, into: &issues)
      content = .mapping(entries)
    } else {
      content = .sequence(Array(children[own]))
    }
    children.removeLast(own.count)
    add(
      YAMLNode(
        content, range: SourceRange(start: frame.start, end: end), anchor: frame.anchor,
        tag: frame.tag, isFlow: frame.isFlow, expandedNodeCount: frame.expandedNodeCount,
        height: frame.height))
  }

  private mutating func report(_ code: YAMLIssue.Code, _ message: String, at range: SourceRange) {
    issues.append(YAMLIssue(code, message, at: range))
  }

  private mutating func add(_ node: YAMLNode) {
    if let anchor = node.anchor { anchors[anchor] = node }
    guard !frames.isEmpty else {
      roots.append(node)
      return
    }
    children.append(node)
    frames[frames.count - 1].count(node)
  }

  private mutating func define(_ anchor: String?, at range: SourceRange) {
    guard let anchor else { return }
    let properties = NodeProperties(at: range.start.offset, in: source)
    let place = properties.anchor.map { source.range($0) } ?? range
    latestDefinition[anchor] = definitions.count
    definitions.append(AnchorDefinition(name: anchor, range: place))
  }

  private mutating func count(_ nodes: Int, at range: SourceRange) throws(YAMLIssue) {
    let (sum, isOverflow) = expandedNodeCount.addingReportingOverflow(nodes)
    expandedNodeCount = sum
    guard isOverflow || sum > limits.expandedNodes else { return }
    throw YAMLIssue(
      .tooLarge, "the document has more than \(limits.expandedNodes) nodes after resolving aliases",
      at: range)
  }

  private func checkDepth(_ height: Int, at range: SourceRange) throws(YAMLIssue) {
    guard frames.count + height > limits.depth else { return }
    throw YAMLIssue(.tooDeep, "the nesting is deeper than \(limits.depth)", at: range)
  }

  /// Removes the blank lines that libyaml counts as part of a block text.
  private func trimmed(_ range: SourceRange) -> SourceRange {
    var end = range.end.offset
    while end > range.start.offset, source.byte(end - 1)?.isWhitespace == true { end -= 1 }
    return SourceRange(start: range.start, end: source.position(atOffset: end))
  }
}

extension YAMLScalar.Style { var isBlock: Bool { self == .literal || self == .folded } }
