/// The statuses for which a condition certainly holds, and those for which it may hold; both are the same if the condition only reads the status.
package struct StatusBounds: Hashable {
  package var certain: StatusSet
  var possible: StatusSet

  package static let always = StatusBounds(certain: .all, possible: .all)
  package static let never = StatusBounds(certain: .none, possible: .none)
  package static let unknown = StatusBounds(certain: .none, possible: .all)
}

extension StatusBounds {
  init(_ condition: Syntax) {
    switch condition.kind {
    case .literal(.bool(let flag)): self = flag ? .always : .never
    case .and(let operands):
      self = operands.map(StatusBounds.init).reduce(.always) { left, right in
        StatusBounds(
          certain: left.certain.intersection(right.certain),
          possible: left.possible.intersection(right.possible))
      }
    case .or(let operands):
      self = operands.map(StatusBounds.init).reduce(.never) { left, right in
        StatusBounds(
          certain: left.certain.union(right.certain), possible: left.possible.union(right.possible))
      }
    case .conditional(let test, let first, let second):
      let (test, first, second) = (Self(test), Self(first), Self(second))
      self.init(
        certain: test.certain.intersection(first.certain)
          .union(test.possible.complement.intersection(second.certain)),
        possible: test.possible.intersection(first.possible)
          .union(test.certain.complement.intersection(second.possible)))
    case .call(let function, target: nil, let arguments): self = Self.call(function.name, arguments)
    default: self = .unknown
    }
  }

  private static func call(_ function: String, _ arguments: [Syntax]) -> Self {
    if function == "!_", arguments.count == 1 {
      let operand = Self(arguments[0])
      return Self(certain: operand.possible.complement, possible: operand.certain.complement)
    }
    guard arguments.count == 2 else { return .unknown }
    if let set = plain(function, arguments[0], arguments[1]) {
      return Self(certain: set, possible: set)
    }
    guard let left = StatusTerm(arguments[0]) else { return .unknown }
    if function == "@in" {
      guard case .list(let elements) = arguments[1].kind else { return .unknown }
      var numbers: Set<Int64> = []
      for element in elements {
        guard case .literal(.int(let number)) = element.value.kind else { return .unknown }
        numbers.insert(number)
      }
      if arguments[0].isPath("response", "status") {
        let set = StatusSet(Array(numbers))
        return Self(certain: set, possible: set)
      }
      return exactly(left, StatusTerm(number: 0)) { value, _ in numbers.contains(value) }
    }
    guard let right = StatusTerm(arguments[1]), let compare = comparisons[function]
    else { return .unknown }
    return exactly(left, right, compare)
  }

  /// The usual form, the status compared with a number, without trying every status.
  private static func plain(_ function: String, _ left: Syntax, _ right: Syntax) -> StatusSet? {
    if right.isPath("response", "status"), let mirrored = mirrored[function] {
      // The status on both sides is left to the general case.
      return left.pathText == nil ? plain(mirrored, right, left) : nil
    }
    guard left.isPath("response", "status"), case .literal(.int(let number)) = right.kind
    else { return nil }
    switch function {
    case "_==_": return StatusSet([number])
    case "_!=_": return StatusSet([number]).complement
    case "_<_": return number > 0 ? StatusSet(0...(number - 1)) : StatusSet.none
    case "_<=_": return number >= 0 ? StatusSet(0...number) : StatusSet.none
    case "_>_": return number < 599 ? StatusSet(max(0, number + 1)...599) : StatusSet.none
    case "_>=_": return number <= 599 ? StatusSet(max(0, number)...599) : StatusSet.none
    default: return nil
    }
  }

  private static let mirrored = [
    "_==_": "_==_", "_!=_": "_!=_", "_<_": "_>_", "_<=_": "_>=_", "_>_": "_<_", "_>=_": "_<=_",
  ]

  static let comparisons: [String: @Sendable (Int64, Int64) -> Bool] = [
    "_==_": { $0 == $1 }, "_!=_": { $0 != $1 }, "_<_": { $0 < $1 }, "_<=_": { $0 <= $1 },
    "_>_": { $0 > $1 }, "_>=_": { $0 >= $1 },
  ]

  private static func exactly(
    _ left: StatusTerm, _ right: StatusTerm, _ holds: (Int64, Int64) -> Bool
  ) -> Self {
    // A term without a value, as after a division by zero, makes the condition fail, so nothing is certain about it.
    func statuses(withoutValue isIn: Bool) -> StatusSet {
      StatusSet { status in
        guard let first = left.value(status), let second = right.value(status) else { return isIn }
        return holds(first, second)
      }
    }
    return Self(certain: statuses(withoutValue: false), possible: statuses(withoutValue: true))
  }
}

struct StatusTerm {
  let isConstant: Bool
  let value: (Int64) -> Int64?
}

extension StatusTerm {
  init(number: Int64) { self.init(isConstant: true) { _ in number } }

  init?(_ syntax: Syntax) {
    switch syntax.kind {
    case .literal(.int(let number)): self.init(number: number)
    case .select:
      guard syntax.isPath("response", "status") else { return nil }
      self.init(isConstant: false) { $0 }
    case .call(let function, target: nil, let arguments):
      guard arguments.count == 2, let left = StatusTerm(arguments[0]),
        let right = StatusTerm(arguments[1]), let operation = Self.operations[function.name]
      else { return nil }
      self.init(isConstant: left.isConstant && right.isConstant) { status in
        guard let first = left.value(status), let second = right.value(status) else { return nil }
        return operation(first, second)
      }
    default: return nil
    }
  }

  private static let operations: [String: @Sendable (Int64, Int64) -> Int64?] = [
    "_+_": { checked($0.addingReportingOverflow($1)) },
    "_-_": { checked($0.subtractingReportingOverflow($1)) },
    "_*_": { checked($0.multipliedReportingOverflow(by: $1)) },
    "_/_": { checked($0.dividedReportingOverflow(by: $1)) },
    "_%_": { checked($0.remainderReportingOverflow(dividingBy: $1)) },
  ]

  private static func checked(_ result: (partialValue: Int64, overflow: Bool)) -> Int64? {
    result.overflow ? nil : result.partialValue
  }
}

/// A set of response statuses: 100 to 599 (RFC 9110 §15), and 0 without a response.
package struct StatusSet: Hashable {
  private var words: SIMD16<UInt64>

  private init(_ words: SIMD16<UInt64>) { self.words = words }

  init(where holds: (Int64) -> Bool) {
    words = SIMD16(repeating: 0)
    if holds(0) { insert(0) }
    for status in Self.answered where holds(Int64(status)) { insert(status) }
  }

  init(_ range: ClosedRange<Int64>) {
    words = SIMD16(repeating: 0)
    let range = range.clamped(to: 0...599)
    for word in Int(range.lowerBound) / 64...Int(range.upperBound) / 64 {
      let lower = max(0, Int(range.lowerBound) - word * 64)
      let upper = min(63, Int(range.upperBound) - word * 64)
      words[word] = (UInt64.max >> UInt64(63 - upper)) & (UInt64.max << UInt64(lower))
    }
    words &= Self.all.words
  }

  init(_ numbers: [Int64]) {
    words = SIMD16(repeating: 0)
    for number in numbers where number == 0 || Self.answered.contains(Int(clamping: number)) {
      insert(Int(number))
    }
  }

  package static let answered = 100...599
  package static let none = StatusSet(SIMD16(repeating: 0))
  package static let all = StatusSet { _ in true }
  package static let success = StatusSet { (200...299).contains($0) }

  private mutating func insert(_ status: Int) { words[status / 64] |= 1 << UInt64(status % 64) }
  package var isEmpty: Bool { self == .none }
  var complement: Self { Self(Self.all.words & ~words) }
  func union(_ other: Self) -> Self { Self(words | other.words) }
  func intersection(_ other: Self) -> Self { Self(words & other.words) }
  package func subtracting(_ other: Self) -> Self { Self(words & ~other.words) }
}

package struct Outcomes {
  package struct Entry {
    package let matcher: DraftMatcher
    /// The statuses for which its condition holds; all if there is no condition.
    package let bounds: StatusBounds
    /// The statuses that earlier entries may leave to it.
    package let reached: StatusSet
  }

  package let entries: [Entry]
  /// The statuses for which possibly no entry holds.
  package let rest: StatusSet

  package init(_ step: DraftStep, in analysis: ExpressionAnalysis) {
    var taken = StatusSet.none
    var entries: [Entry] = []
    for matcher in step.matchers {
      var bounds = StatusBounds.unknown
      if !matcher.hasCondition { bounds = .always }
      if let entry = analysis.entry(matcher.condition, in: step.index) {
        bounds = StatusBounds(entry.syntax)
      }
      entries.append(
        Entry(matcher: matcher, bounds: bounds, reached: bounds.possible.subtracting(taken)))
      taken = taken.union(bounds.certain)
    }
    self.entries = entries
    rest = taken.complement
  }

  func canBe(_ words: MatcherWord...) -> Bool {
    entries.contains { entry in
      guard case .word(let word, _)? = entry.matcher.outcome else {
        // An entry that could not be read may mean anything.
        return entry.matcher.outcome == nil
      }
      return words.contains(word) && !entry.reached.isEmpty
    }
  }

  var canSucceed: Bool { canBe(.success) || !rest.intersection(.success).isEmpty }
}
