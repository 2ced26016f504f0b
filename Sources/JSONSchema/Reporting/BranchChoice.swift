import Basics

/// The branch of a failed `anyOf` or `oneOf` that was probably meant.
enum BranchChoice {
  /// How far a branch is from matching; the smallest is the one to explain.
  private struct Misfit: Comparable {
    var wrongType = 0
    /// A `const` or `enum` of the value or of one of its members shows that this is another kind.
    var wrongKind = 0
    /// Members that are missing or unknown here.
    var wrongKeys = 0
    /// Other failures at the value itself.
    var near = 0
    var total = 0

    static func < (left: Misfit, right: Misfit) -> Bool {
      (left.wrongType, left.wrongKind, left.wrongKeys, left.near, left.total)
        < (right.wrongType, right.wrongKind, right.wrongKeys, right.near, right.total)
    }
  }

  /// The failures of the branch that matches best, or one failure that summarizes all branches.
  static func leaves(of unit: OutputUnit) -> [OutputUnit] {
    let branches = unit.children.map { FindingCollector.leaves(of: $0) }.filter { !$0.isEmpty }
    guard let first = branches.first else { return [unit] }
    if branches.count == 1 { return first }
    if let merged = merged(branches, of: unit) { return [merged] }
    let depth = unit.instancePointer.tokens.count
    let scored = branches.map { (misfit(of: $0, depth: depth), $0) }
    let best = scored.dropFirst().reduce(scored[0]) { $1.0 < $0.0 ? $1 : $0 }
    return best.1
  }

  private static func misfit(of leaves: [OutputUnit], depth: Int) -> Misfit {
    var misfit = Misfit()
    for leaf in leaves {
      let below = leaf.instancePointer.tokens.count - depth
      misfit.total += 1
      switch leaf.cause {
      case .type where below == 0: misfit.wrongType += 1
      case .values where below <= 1: misfit.wrongKind += 1
      case .required where below == 0: misfit.wrongKeys += 1
      case .unknownProperty where below == 1: misfit.wrongKeys += 1
      default: if below == 0 { misfit.near += 1 }
      }
    }
    return misfit
  }

  /// One failure instead of all branches, if they differ in only one respect.
  private static func merged(_ branches: [[OutputUnit]], of unit: OutputUnit) -> OutputUnit? {
    mergedTypes(branches, of: unit) ?? mergedValues(branches) ?? mergedKeys(branches, of: unit)
  }

  /// Every branch requires a different type.
  private static func mergedTypes(_ branches: [[OutputUnit]], of unit: OutputUnit) -> OutputUnit? {
    var types: TypeSet = []
    var node: JSONNode?
    for branch in branches {
      guard let leaf = branch.first(where: { $0.instancePointer == unit.instancePointer }),
        case .type(let own, let found) = leaf.cause
      else { return nil }
      types.formUnion(own)
      node = found
    }
    guard let node else { return nil }
    return unit.replacing(
      message: Messages.type(types, found: node), cause: .type(types, found: node))
  }

  /// Every branch requires a different value in the same place, such as a `kind`.
  private static func mergedValues(_ branches: [[OutputUnit]]) -> OutputUnit? {
    guard let candidates = branches.first else { return nil }
    for candidate in candidates {
      var values: [JSONNode] = []
      var last: (leaf: OutputUnit, found: JSONNode)?
      for branch in branches {
        let same = branch.first { leaf in
          guard case .values = leaf.cause else { return false }
          return leaf.instancePointer == candidate.instancePointer
        }
        guard let same, case .values(let own, let found) = same.cause else {
          last = nil
          break
        }
        for value in own where !values.contains(where: { $0.isEqual(to: value) }) {
          values.append(value)
        }
        last = last ?? (same, found)
      }
      if let last {
        return last.leaf.replacing(
          message: Messages.values(values), cause: .values(values, found: last.found))
      }
    }
    return nil
  }

  /// Every branch only requires a different key.
  private static func mergedKeys(_ branches: [[OutputUnit]], of unit: OutputUnit) -> OutputUnit? {
    var keys: [String] = []
    for branch in branches {
      guard branch.count == 1, branch[0].instancePointer == unit.instancePointer,
        case .required(let key) = branch[0].cause
      else { return nil }
      if !keys.contains(where: { $0.isByteEqual(to: key) }) { keys.append(key) }
    }
    guard keys.count > 1 else { return branches[0][0] }
    let names = Messages.list(keys.map(Messages.quoted))
    return unit.replacing(message: "one of the properties \(names) is required", cause: .other)
  }
}
