/// Steps that run in turns, with values that are carried from one turn to the next.
///
/// The values are the outputs of the `repeat` step itself. Each turn is a generation of it, so that the steps of the
/// turn are derived from these values as other steps are derived from results,
/// and are issued again with the next ones.
public struct Repeat<S: Stage>: Sendable {
  /// The values of the first turn, in the order of the step's outputs.
  public let from: [NamedTemplate<S>]
  /// True once no other turn follows.
  public let until: S.Expression
  /// The values of the next turn, in the order of ``from``; they may read the turn's results.
  public let next: [NamedTemplate<S>]
  /// Asks the server for the values after a turn whose outcome is unknown; `nil` repeats the step.
  public let resync: S.Request?
  /// The values in the response to ``resync``, in the order of ``from``.
  public let found: [NamedTemplate<S>]

  /// Makes a repeat.
  public init(
    from: [NamedTemplate<S>], until: S.Expression, next: [NamedTemplate<S>], resync: S.Request?,
    found: [NamedTemplate<S>]
  ) {
    (self.from, self.until, self.next, self.resync, self.found) = (from, until, next, resync, found)
  }
}

/// A repeat as the author wrote it.
public typealias RepeatTemplate = Repeat<Compiled>

extension Repeat: Equatable, Hashable where S == Compiled {
  var expressions: [Expression] { [until] + (from + next + found).flatMap(\.value.expressions) }

  func values(ofOutput index: Int) -> [Template] {
    [from, next, found].compactMap { $0.indices.contains(index) ? $0[index].value : nil }
  }
}
