import CEL

extension StepState {
  /// Puts the step back: it is to be issued again, or probed once the time has come.
  mutating func putBack(as status: Status, _ probe: Probe?, at now: Instant) {
    if status != .unknown {
      unknownSince = nil
    } else if self.status == .running {
      unknownSince = now
      if let probe, probe.after > .zero { notBefore = now + probe.after }
    }
    self.status = status
    since = now
  }

  /// Whether it succeeded, and its result has not expired since.
  var hasResult: Bool { status == .succeeded && !isInvalidated }

  /// The step of an item that starts once more: its failures so far no longer count.
  var triedAgain: StepState {
    var step = self
    step.failures = 0
    step.reissues = 0
    step.unusedInvalidations = 0
    step.begun = nil
    step.notBefore = nil
    return step
  }

  /// A file is deleted with the item; it is remade only if a remaining step reads it.
  var withoutFile: StepState {
    var kept = self
    kept.reservedBytes = 0
    if kept.holdsFile { kept.file = nil }
    return kept
  }

  /// The first whole number among the values of a turn.
  var distance: Int64? {
    for case .int(let number)? in outputs.map(\.value) { return number }
    return nil
  }

  /// Whether the values of a turn are farther than all before them; without a whole number, whether they are others.
  func hasProgressed(from old: StepState) -> Bool {
    guard let reached = distance else { return old.outputs.map(\.value) != outputs.map(\.value) }
    return old.farthest.map { reached > $0 } ?? true
  }

  /// The values of a turn that brought no progress.
  func standstill(_ declaration: Step) -> String {
    for (output, value) in zip(declaration.outputs, outputs) where !output.isSecret {
      guard case .int(let number)? = value.value else { continue }
      let before = farthest.map { $0 > number ? ", and was \($0) before" : "" } ?? ""
      return "'\(output.name)' is \(number)\(before)"
    }
    return "its values are the same"
  }
}

extension Frame {
  /// The bytes of the disk budget that the steps hold.
  var reservedBytes: Int64 { reduce(0) { $0 + $1.reservedBytes } }
}

extension Item {
  /// Whether the item is complete, and only what replaced results left is still being undone.
  var isOnlyCleaning: Bool { abandoning.map { $0.next == .done || $0.next == .skipped } ?? false }
}

extension Item.AbandonProgress {
  /// Moves on to the next request; what concerns the item as a whole stays.
  mutating func advanceToNext() {
    var turn = Self(index: index + 1, attempt: attempt, next: next, isUndone: isUndone)
    (turn.only, turn.left, turn.cause) = (only, left, cause)
    self = turn
  }

  /// The compensations of an item that its row keeps: those that could not be carried out.
  var stored: Self? {
    guard !left.isEmpty, next != .done, next != .skipped else { return nil }
    var kept = Self(index: 0, attempt: attempt, next: next, isUndone: isUndone)
    (kept.left, kept.cause) = (left, cause)
    return kept
  }

  /// The compensations that an earlier try of an item left over, to be sent again.
  var restarted: Self {
    var again = Self(index: 0, attempt: attempt, next: next, isUndone: isUndone)
    (again.only, again.cause) = (left, cause)
    return again
  }
}

extension Failure {
  static func unsafeRepeat(_ failure: Failure) -> Failure {
    failure.saying(
      "outcome unknown, and the step has neither an idempotency key nor a probe to make a repeat "
        + "safe: \(failure.message)")
  }

  /// Whether an attempt met a stale connection, and the one before it did not: such an attempt counts as no failure.
  func isFirstStale(after last: Failure?) -> Bool { message != last?.message }
}

extension Loop {
  /// Maximum number of items that wait as their author specifies, such as for a poll or an earliest time.
  var intendedLimit: Int { max(64, 8 * concurrency) }
  /// Number of items that are read at once.
  var readAhead: Int { max(64, 2 * concurrency) }
}

extension Duration {
  var wholeSeconds: Int64 { milliseconds / 1000 }

  /// As users write it: seconds below two minutes, then minutes, then hours.
  var spelled: String {
    let seconds = wholeSeconds
    if seconds < 120 { return "\(seconds) s" }
    if seconds < 7200 { return "\(seconds / 60) min" }
    return "\(seconds / 3600) h"
  }
}
