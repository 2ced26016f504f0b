/// The identity of a run: the name of its folder, unique within a state folder.
public struct RunID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the identity, for example `photos-20260314-101502-k3f9`.
  public let rawValue: String

  /// Creates the identity from the text of a known run's name.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The text itself.
  public var description: String { rawValue }
}

/// The name of a step, unique within its pipeline.
public struct StepID: Hashable, Sendable, CustomStringConvertible {
  /// The `id` that the author gave.
  public let rawValue: String

  /// Creates the name from an author's `id`.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// The `id` itself.
  public var description: String { rawValue }
}

/// The identity of an item: its loop and its position in the order in which the run began.
public struct ItemKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// Index of the loop in ``Pipeline/loops``.
  public let loop: Int
  /// Zero-based position among the loop's items, fixed when the run begins.
  public let ordinal: Int

  /// Names the item at `ordinal` of the loop with index `loop`.
  public init(loop: Int, ordinal: Int) {
    self.loop = loop
    self.ordinal = ordinal
  }

  /// `loop/ordinal`, as used in the history and in file names.
  public var description: String { "\(loop)/\(ordinal)" }

  /// Orders by loop, then by position.
  public static func < (left: Self, right: Self) -> Bool {
    (left.loop, left.ordinal) < (right.loop, right.ordinal)
  }
}

/// The fence that an effect carries and its result must show (DESIGN law 4).
public struct EffectID: Hashable, Sendable, CustomStringConvertible {
  /// The run that issued the effect.
  public let run: RunID
  /// The item, or `nil` for a run-level step.
  public let item: ItemKey?
  /// Index of the step in ``Pipeline/steps``.
  public let step: Int
  /// The step's generation: incremented each time its result has expired and it is reissued.
  public let generation: Int
  /// Number of the issue within the generation, from 1; includes interrupted issues.
  public let attempt: Int

  /// Identifies one issue of one step.
  public init(run: RunID, item: ItemKey?, step: Int, generation: Int, attempt: Int) {
    self.run = run
    self.item = item
    self.step = step
    self.generation = generation
    self.attempt = attempt
  }

  /// Ignores the run: collections of these belong to one run.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(item)
    hasher.combine(step)
    hasher.combine(generation)
    hasher.combine(attempt)
  }

  /// A short form for messages of failed checks.
  public var description: String {
    "\(item.map { "\($0)" } ?? "run")#\(step)g\(generation)a\(attempt)"
  }
}
