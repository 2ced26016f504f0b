/// The cost limit for reading, checking, planning or simulating one document, and the cost so far.
///
/// All are counts, not times, so that slow and fast machines agree on the limit. The standard bounds let any
/// document of 100 kB be checked within 2 s and 300 MB.
package struct WorkBudget: Hashable, Sendable {
  package enum Resource: Int, Hashable, Sendable, CaseIterable {
    /// Nodes of the document with every alias followed, and expressions in its texts.
    case nodes
    /// Uses of other files.
    case files
    /// Steps, those of used files included.
    case steps
    /// Units of work: parts of expressions that are visited or evaluated, and turns of a simulation; about ten million a second.
    case work
    /// Bytes of values that are kept.
    case bytes

    /// The resource in messages.
    package var words: String {
      switch self {
      case .nodes: "values and expressions"
      case .files: "used files"
      case .steps: "steps"
      case .work: "units of work"
      case .bytes: "bytes of values"
      }
    }
  }

  private var limits: [Int]
  private var spent = [Int](repeating: 0, count: Resource.allCases.count)
  /// The resource that was exhausted first; `nil` while there is none.
  package private(set) var exceeded: Resource?

  /// A budget with bounds other than the standard ones.
  package init(_ limits: [Resource: Int] = [:]) {
    self.limits = [200_000, 1_000, 1_000, 10_000_000, 64 << 20]
    for (resource, limit) in limits { self.limits[resource.rawValue] = limit }
  }

  /// The budget of a simulated run.
  ///
  /// It has more work for each item that ends, each part that is done and each day that passes, so that only a run without
  /// progress exceeds it.
  package static let simulation = WorkBudget([.work: 10_000_000, .bytes: 128 << 20])

  /// The work of one turn of a pipeline with this many steps.
  package static func turn(steps: Int) -> Int { 128 + 4 * steps }

  package mutating func allow(_ amount: Int, _ resource: Resource) {
    limits[resource.rawValue] += min(amount, .max - limits[resource.rawValue])
  }

  package func limit(_ resource: Resource) -> Int { limits[resource.rawValue] }

  /// How much of a resource was spent, without the excess over its bound.
  package func used(_ resource: Resource) -> Int { spent[resource.rawValue] }

  /// How much of a resource is left; 0 once anything is used up.
  package func left(_ resource: Resource) -> Int {
    exceeded == nil ? limit(resource) - used(resource) : 0
  }

  /// Spends a resource.
  ///
  /// - Returns: Whether nothing is used up: if not, the planned work must not be done.
  @discardableResult
  package mutating func spend(_ amount: Int = 1, _ resource: Resource = .work) -> Bool {
    guard exceeded == nil else { return false }
    guard amount <= limit(resource) - used(resource) else {
      exceeded = resource
      return false
    }
    spent[resource.rawValue] += amount
    return true
  }

  /// Whether an amount that is counted elsewhere is within its bound; otherwise the resource is used up.
  package mutating func allows(_ amount: Int, _ resource: Resource) -> Bool {
    if exceeded == nil, amount > limit(resource) { exceeded = resource }
    return exceeded == nil
  }

  /// The exhausted resource, such as `more than 1,000 steps`; `nil` if nothing was.
  package var excess: String? {
    exceeded.map { "more than \(Self.grouped(limit($0))) \($0.words)" }
  }

  private static func grouped(_ number: Int) -> String {
    var text = ""
    for (index, digit) in String(number).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
