/// The identity of a run: the name of its folder, unique within a state folder.
public struct RunID: Hashable, Sendable, CustomStringConvertible {
  /// The text of the identity, for example `photos-20260314-101502-k3f9`.
  public let rawValue: String

  /// Creates the identity from the text of a known run's name.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// The text itself.
  public var description: String { rawValue }

  /// Whether `text` is the identity, or a start of it that includes some of its last, random part.
  ///
  /// A shorter start is the name of a pipeline, perhaps with a date, which a run or a watch may have as its name.
  public func isMeant(by text: String) -> Bool {
    guard let dash = rawValue.lastIndex(of: "-") else { return text == rawValue }
    return rawValue.hasPrefix(text) && text.count > rawValue[...dash].count
  }
}

/// The name of a step, unique within its pipeline.
public struct StepID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The author's `id`.
  public let rawValue: String

  /// Creates the name from an author's `id`.
  public init(_ rawValue: String) { self.rawValue = rawValue }
  /// The `id` itself.
  public var description: String { rawValue }
}

/// The identity of an item, or of a part of it: its loop and its position in the order in which the run started.
public struct ItemKey: Hashable, Sendable, Comparable, Codable, CustomStringConvertible {
  /// Index of the loop in ``Pipeline/loops``.
  public let loop: Int
  /// Zero-based position among the loop's items, fixed when the run starts.
  public let ordinal: Int
  /// The part of the item; `nil` for the item itself.
  public let part: Part?

  /// One part of an item.
  public struct Part: Hashable, Sendable, Codable {
    /// Index in ``Pipeline/steps`` of the step whose parts these are.
    public let step: Int
    /// Generation of that step: when its parts start over, they are different parts.
    public let generation: Int
    /// Zero-based position among the parts.
    public let number: Int

    /// Names the part `number` of a generation of the step with index `step`.
    public init(step: Int, generation: Int, number: Int) {
      (self.step, self.generation, self.number) = (step, generation, number)
    }
  }

  /// Names the item at `ordinal` of the loop with index `loop`, or a part of it.
  public init(loop: Int, ordinal: Int, part: Part? = nil) {
    (self.loop, self.ordinal, self.part) = (loop, ordinal, part)
  }

  /// The item that the part belongs to; the item itself if there is no part.
  public var whole: ItemKey { part == nil ? self : ItemKey(loop: loop, ordinal: ordinal) }

  /// The same part, whichever generation of its step it belongs to.
  package var ofAnyGeneration: ItemKey {
    part.map { part($0.number, of: $0.step, generation: 0) } ?? self
  }

  /// The item's part with this number, of a generation of the step with index `step`.
  public func part(_ number: Int, of step: Int, generation: Int) -> ItemKey {
    ItemKey(
      loop: loop, ordinal: ordinal, part: Part(step: step, generation: generation, number: number))
  }

  /// `loop/ordinal`, for a part `loop/ordinal.number`, as used in messages.
  public var description: String {
    let whole = "\(loop)/\(ordinal)"
    return part.map { "\(whole).\($0.number)" } ?? whole
  }

  /// Orders by loop, then by position; an item comes before its parts.
  public static func < (left: Self, right: Self) -> Bool {
    if (left.loop, left.ordinal) != (right.loop, right.ordinal) {
      return (left.loop, left.ordinal) < (right.loop, right.ordinal)
    }
    guard let part = left.part, let other = right.part
    else { return left.part == nil && right.part != nil }
    return (part.step, part.generation, part.number) < (other.step, other.generation, other.number)
  }
}

/// The fence that an effect carries and its result must show (invariant 4).
public struct EffectID: Hashable, Sendable, CustomStringConvertible {
  /// The object of an effect.
  public enum Target: Hashable, Sendable {
    /// The step, an index in ``Pipeline/steps``, in its generation: from 1, incremented with each reissue.
    case step(Int, generation: Int)
    /// The compensations that undo an item's effects on the server; the attempts of all its requests count as one.
    case compensation
  }

  /// The run that issued the effect.
  public let run: RunID
  /// The item, or `nil` for a run-level step.
  public let item: ItemKey?
  /// The step or the compensation.
  public let target: Target
  /// Number of the issue within the target, from 1; includes interrupted issues.
  public let attempt: Int

  /// Identifies one issue of a step or a compensation.
  public init(run: RunID, item: ItemKey?, target: Target, attempt: Int) {
    (self.run, self.item, self.target, self.attempt) = (run, item, target, attempt)
  }

  /// Identifies one issue of one step.
  public init(run: RunID, item: ItemKey?, step: Int, generation: Int, attempt: Int) {
    self.init(run: run, item: item, target: .step(step, generation: generation), attempt: attempt)
  }

  /// Index of the step in ``Pipeline/steps``, or `nil` for a compensation.
  public var step: Int? { if case .step(let index, _) = target { index } else { nil } }

  /// The step's generation, or `nil` for a compensation.
  public var generation: Int? {
    if case .step(_, let generation) = target { generation } else { nil }
  }

  /// Whether the effect undoes something at the server.
  public var isCompensation: Bool { target == .compensation }

  /// Ignores the run: collections of these belong to one run.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(item)
    hasher.combine(target)
    hasher.combine(attempt)
  }

  /// A short form for messages of failed checks.
  public var description: String {
    let owner = item.map { "\($0)" } ?? "run"
    switch target {
    case .step(let index, let generation): return "\(owner)#\(index)g\(generation)a\(attempt)"
    case .compensation: return "\(owner)#undo a\(attempt)"
    }
  }
}
