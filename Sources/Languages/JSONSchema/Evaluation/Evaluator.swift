/// One validation: applies the program to an instance; ``Mode/flag`` stops at the first failure.
///
/// Schemas apply each other recursively, so code that need not be on the stack is kept out
/// of line (`@inline(never)`): a validation should fit the small stacks of secondary threads.
struct Evaluator {
  enum Mode { case flag, failures, annotations }

  /// Output beyond this many units is dropped; the verdict does not depend on it.
  static let maximumUnits = 100_000
  let program: Program
  let options: Schema.Options
  let mode: Mode
  private(set) var stop: Stop?
  var units: [OutputUnit] = []
  var unitCount = 0
  /// The resources entered, outermost first (core §7.1).
  private(set) var scope: [Int] = []
  /// The targets of references followed at the current instance value.
  private var trail: [Int] = []
  private var trailStart = 0
  private var depth = 0
  private var steps = 0
  private var maximumSteps: Int
  /// The rest of ``RegularExpression/stepLimit`` for this validation.
  var regexSteps = RegularExpression.stepLimit
  /// Keyword location in tokens; kept outside ``Mode/flag`` only.
  private var path: [PathToken] = []
  private var instancePath: [Int] = []
  private var keyRange: SourceRange?
  private var root = JSONNode(.null)

  struct Stop {
    let reason: String
    let instancePointer: JSONPointer
    let range: SourceRange?
    let schemaLocation: String
  }

  enum PathToken {
    case key(String)
    case index(Int)

    var text: String {
      switch self {
      case .key(let key): key
      case .index(let place): String(place)
      }
    }
  }

  init(program: Program, options: Schema.Options, mode: Mode) {
    (self.program, self.options, self.mode) = (program, options, mode)
    maximumSteps = options.maximumSteps
  }

  var isFlag: Bool { mode == .flag }

  mutating func run(_ instance: JSONNode) -> Bool {
    guard !program.subschemas.isEmpty else { return false }
    root = instance
    var seen = Evaluated(isTracked: false)
    return evaluate(program.root, instance, &seen)
  }

  func rootUnit(_ instance: JSONNode) -> OutputUnit {
    units.first
      ?? OutputUnit(
        isValid: stop == nil, keyword: nil, keywordLocation: "",
        absoluteLocation: program.subschemas[program.root].location(),
        instancePointer: JSONPointer(), range: instance.range, keyRange: nil, message: stop?.reason,
        annotation: nil, cause: .other, children: [])
  }

  @inline(never) mutating func giveUp(_ reason: String, _ node: JSONNode, _ location: String) {
    guard stop == nil else { return }
    stop = Stop(
      reason: reason, instancePointer: instancePointer, range: node.range, schemaLocation: location)
  }

  /// Counts work beyond applying schemas, in units of about one comparison.
  mutating func charge(_ work: Int) { steps += work / 32 }

  /// Whether there are too many steps even for the size of the instance.
  private mutating func exceedsSteps() -> Bool {
    let (extra, overflow) = root.nodeCount.multipliedReportingOverflow(by: 100)
    maximumSteps = overflow ? .max : max(maximumSteps, options.maximumSteps &+ extra)
    return steps > maximumSteps
  }

  /// Applies a schema to a value; adds its evaluated parts to `seen` if the value is valid.
  @inline(never)
  mutating func evaluate(_ number: Int, _ node: JSONNode, _ seen: inout Evaluated) -> Bool {
    guard stop == nil else { return false }
    let schema = program.subschemas[number]
    if let verdict = schema.verdict {
      if !verdict, !isFlag { addUnit(schema: schema, node, children: []) }
      return verdict
    }
    guard enter(schema, node) else { return false }
    let entersResource = scope.last != schema.resource
    if entersResource { scope.append(schema.resource) }
    defer {
      if entersResource { scope.removeLast() }
      depth -= 1
    }
    if !schema.keepsEvaluated, !seen.isTracked { return evaluateKeywords(schema, node, &seen) }
    var own = Evaluated(isTracked: true)
    let isValid = evaluateKeywords(schema, node, &own)
    if isValid { seen.formUnion(own) }
    return isValid
  }

  private mutating func enter(_ schema: Subschema, _ node: JSONNode) -> Bool {
    depth += 1
    steps += 1
    if depth > options.maximumDepth {
      giveUp(
        "the validation is nested deeper than \(options.maximumDepth) schemas", node,
        schema.location())
    } else if steps > maximumSteps, exceedsSteps() {
      giveUp("the validation was stopped after \(maximumSteps) steps", node, schema.location())
    } else {
      return true
    }
    depth -= 1
    return false
  }

  private mutating func evaluateKeywords(
    _ schema: Subschema, _ node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    if !isFlag { return explainKeywords(schema, node, &seen) }
    for keyword in schema.keywords where !apply(keyword, of: schema, to: node, &seen) {
      return false
    }
    return true
  }

  @inline(never) private mutating func explainKeywords(
    _ schema: Subschema, _ node: JSONNode, _ seen: inout Evaluated
  ) -> Bool {
    let outer = units
    units = []
    var isValid = true
    for keyword in schema.keywords where !apply(keyword, of: schema, to: node, &seen) {
      isValid = false
    }
    conclude(schema, node, isValid: isValid, outer: outer)
    return isValid
  }

  @inline(never) private mutating func conclude(
    _ schema: Subschema, _ node: JSONNode, isValid: Bool, outer: [OutputUnit]
  ) {
    // Annotations of a failed schema do not count (core §7.7.1).
    let children = isValid ? units : units.filter { !$0.isValid }
    units = outer
    if !isValid || (mode == .annotations && !children.isEmpty) {
      addUnit(schema: schema, node, isValid: isValid, children: children)
    }
  }

  /// Runs `body` one member or item further down.
  mutating func descend(
    to place: Int, keyRange range: SourceRange?, _ body: (inout Evaluator) -> Bool
  ) -> Bool {
    let outerStart = trailStart
    let outerCount = trail.count
    trailStart = outerCount
    let outerRange = keyRange
    instancePath.append(place)
    keyRange = range
    let isValid = body(&self)
    trailStart = outerStart
    trail.removeLast(trail.count - outerCount)
    instancePath.removeLast()
    keyRange = outerRange
    return isValid
  }

  /// Runs `body` with tokens added to the keyword location.
  mutating func within(
    _ tokens: @autoclosure () -> [PathToken], _ body: (inout Evaluator) -> Bool
  ) -> Bool {
    if isFlag { return body(&self) }
    let added = tokens()
    path.append(contentsOf: added)
    let isValid = body(&self)
    path.removeLast(added.count)
    return isValid
  }

  /// Follows a reference, unless it was followed too often at this value to ever end.
  mutating func follow(_ target: Int, _ node: JSONNode, _ seen: inout Evaluated) -> Bool {
    // Each round must add a resource to the dynamic scope; otherwise the next one is identical.
    let rounds = trail[trailStart...].count { $0 == target }
    guard rounds <= program.dynamicAnchors.count else {
      let location = program.subschemas[target].location()
      giveUp("the reference to \(location) never ends at this value", node, location)
      return false
    }
    trail.append(target)
    defer { trail.removeLast() }
    return evaluate(target, node, &seen)
  }

  private var instancePointer: JSONPointer {
    var node = root
    var tokens: [String] = []
    for place in instancePath {
      switch node.value {
      case .object(let members):
        tokens.append(members[place].key)
        node = members[place].value
      case .array(let items):
        tokens.append(String(place))
        node = items[place]
      default: break
      }
    }
    return JSONPointer(tokens)
  }

  @inline(never) private mutating func add(
    _ keyword: String?, of schema: Subschema, _ node: JSONNode, isValid: Bool,
    message: String? = nil, annotation: JSONNode? = nil, cause: OutputUnit.Cause,
    children: [OutputUnit]
  ) {
    unitCount += 1
    guard unitCount <= Self.maximumUnits else { return }
    let suffix = keyword.map { "/" + $0 } ?? ""
    units.append(
      OutputUnit(
        isValid: isValid, keyword: keyword,
        keywordLocation: path.map { "/" + JSONPointer.escape($0.text) }.joined() + suffix,
        absoluteLocation: schema.location(suffix), instancePointer: instancePointer,
        range: node.range, keyRange: keyRange, message: message, annotation: annotation,
        cause: cause, children: children))
  }

  @inline(never) private mutating func addUnit(
    schema: Subschema, _ node: JSONNode, isValid: Bool = false, children: [OutputUnit]
  ) {
    add(
      nil, of: schema, node, isValid: isValid,
      message: !isValid && schema.verdict == false ? "nothing is allowed here" : nil,
      cause: schema.verdict == false ? .other : .schema, children: children)
  }

  /// Records that a keyword failed, and returns false for the caller to return.
  @inline(never) mutating func fail(
    _ keyword: String, of schema: Subschema, _ node: JSONNode, cause: OutputUnit.Cause = .other,
    children: [OutputUnit] = [], _ message: @autoclosure () -> String
  ) -> Bool {
    if isFlag || stop != nil { return false }
    add(
      keyword, of: schema, node, isValid: false, message: message(), cause: cause,
      children: children)
    return false
  }

  @inline(never) mutating func annotate(
    _ keyword: String, of schema: Subschema, _ node: JSONNode, children: [OutputUnit] = [],
    _ value: @autoclosure () -> JSONNode?
  ) {
    guard mode == .annotations else { return }
    let value = value()
    guard value != nil || !children.isEmpty else { return }
    add(
      keyword, of: schema, node, isValid: true, annotation: value, cause: .group,
      children: children)
  }

  /// Records whether an applicator is valid, with the units below it, and returns that.
  @inline(never) mutating func conclude(
    _ keyword: String, of schema: Subschema, _ node: JSONNode, isValid: Bool,
    cause: OutputUnit.Cause = .group, _ children: [OutputUnit],
    annotation: @autoclosure () -> JSONNode? = nil, _ message: @autoclosure () -> String
  ) -> Bool {
    guard isValid
    else { return fail(keyword, of: schema, node, cause: cause, children: children, message()) }
    annotate(keyword, of: schema, node, children: children, annotation())
    return true
  }

  /// Runs `body` and removes and returns the units it made.
  mutating func collecting(
    _ body: (inout Evaluator) -> Bool
  ) -> (isValid: Bool, units: [OutputUnit]) {
    if isFlag { return (body(&self), []) }
    let outer = units
    units = []
    let isValid = body(&self)
    let own = units
    units = outer
    return (isValid, own)
  }
}
