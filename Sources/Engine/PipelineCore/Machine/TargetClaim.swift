import CEL

/// A command's claim with its checkpoint, before it is performed: no other item may have the same target (``Pipeline/targets``).
///
/// The store assigns a target to the first item that claims it, for as long as the run exists. An item's own steps, parts, attempts
/// and generations claim it again.
public struct TargetClaim: Hashable, Sendable {
  /// The command, which is not performed if the claim is refused.
  public let id: EffectID
  /// A hash of the target: of ten million, two are the same in one of 400,000 runs.
  public let target: UInt64
  /// Whether the target is the item's from now on; what undoes something only must not touch another item's.
  public let takes: Bool
  /// The item whose claim it is.
  public var item: ItemKey? { id.item?.whole }

  /// Makes a claim.
  public init(id: EffectID, target: UInt64, takes: Bool = true) {
    (self.id, self.target, self.takes) = (id, target, takes)
  }

  /// A claim of another item's target.
  public struct Refusal: Hashable, Sendable {
    /// The claim's command.
    public let id: EffectID
    /// The item that the target belongs to.
    public let holder: ItemKey
    /// The shard of this item, if it is another one.
    public let shard: Int?
    /// This item's subject.
    public let subject: Item.Subject

    /// Refuses a claim.
    public init(_ claim: TargetClaim, holder: ItemKey, shard: Int? = nil, subject: Item.Subject) {
      (id, self.holder, self.shard, self.subject) = (claim.id, holder, shard, subject)
    }
  }
}

extension Machine {
  /// What happened to a command whose claim was refused: nothing was sent.
  public func verdict(on refusal: TargetClaim.Refusal) -> Verdict {
    if refusal.id.isCompensation { return .notDone }
    let shard = refusal.shard.map { " of shard \($0)" } ?? ""
    let isSecret = pipeline.secretLoops.contains(refusal.holder.loop)
    let subject = isSecret ? "" : ", '\(refusal.subject.label)'"
    return .fail(
      Failure(
        "it has the same upload target as item \(refusal.holder)\(shard)\(subject), and would replace what that item "
          + "stores: let the address contain 'file.relative', or set 'shared_target: allow' if that is harmless"
      ))
  }
}

extension Evaluator {
  /// The claim of the command; `nil` if it replaces nothing, or if its target cannot be rendered.
  func claim(of command: Command) -> TargetClaim? {
    guard let loop = command.id.item?.loop, !pipeline.targets.isEmpty else { return nil }
    switch command.action {
    // A transfer that was handed over was claimed before that.
    case .adopt: return nil
    case .attempt, .probe:
      // A resync finds the object under the target of the turns, which may be another item's.
      guard let index = command.id.step else { return nil }
      let isResync = pipeline.steps[index].kind == .repeat
      let steps = isResync ? pipeline.turn(of: index) : index..<index + 1
      guard let target = steps.lazy.compactMap({ self.pipeline.targets[$0] }).first,
        let hash = hash(of: target, command.scope)
      else { return nil }
      return TargetClaim(id: command.id, target: hash)
    case .abandon(let index):
      let address = pipeline.loops[loop].onAbandon[index].request.address
      return hash(of: address, command.scope).map {
        TargetClaim(id: command.id, target: $0, takes: false)
      }
    }
  }

  /// A secret of the run is not part of it: it may be renewed between two items.
  private func hash(of target: [Template], _ scope: Scope) -> UInt64? {
    var text = ""
    for part in target.flatMap(\.parts) {
      switch part {
      case .text(let literal): text += literal
      case .expression(let expression):
        let names = expression.compiled.references.map(\.variable)
        let isOfItem = names.contains { !pipeline.isOfRun($0) }
        if !isOfItem, names.contains(where: pipeline.secretNames.contains) { continue }
        guard let value = try? value(expression, scope), let piece = Self.text(of: value) else {
          return nil
        }
        text += piece
      }
    }
    return text.stableHash
  }
}
