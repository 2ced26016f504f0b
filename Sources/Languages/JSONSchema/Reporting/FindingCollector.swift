/// Turns the units of a failed validation into one finding for each root cause.
enum FindingCollector {
  static func findings(of root: OutputUnit, stop: Evaluator.Stop?) -> [Finding] {
    if let stop {
      return [
        Finding(
          message: stop.reason, instancePointer: stop.instancePointer, range: stop.range,
          keyword: "", schemaLocation: stop.schemaLocation, suggestion: nil)
      ]
    }
    return Set(withoutConsequences(leaves(of: root)).map(finding)).sorted()
  }

  /// The failures without those that only follow from others, with alternatives resolved.
  static func leaves(of unit: OutputUnit) -> [OutputUnit] {
    guard !unit.isValid else { return [] }
    switch unit.cause {
    case .alternatives: return BranchChoice.leaves(of: unit)
    case .schema: return leavesOfSchema(unit)
    case .group where unit.children.isEmpty: return [unit]
    case .group: return unit.children.flatMap { leaves(of: $0) }
    default: return unit.message == nil ? [] : [unit]
    }
  }

  /// Parts that a failed sibling would have evaluated do not count as unevaluated (core §7.7.1).
  private static func leavesOfSchema(_ unit: OutputUnit) -> [OutputUnit] {
    let isUnevaluated = { (child: OutputUnit) in
      child.keyword?.utf8.starts(with: "unevaluated".utf8) ?? false
    }
    let others = unit.children.filter { !isUnevaluated($0) }.flatMap { leaves(of: $0) }
    let unevaluated = unit.children.filter(isUnevaluated).flatMap { leaves(of: $0) }
    guard !others.isEmpty else { return unevaluated }
    return others
      + unevaluated.filter { leaf in
        guard case .unknownProperty(let key, let known) = leaf.cause else { return false }
        return !known.contains { $0.isByteEqual(to: key) }
      }
  }

  /// A misspelled key is also a missing key; the spelling is the cause.
  private static func withoutConsequences(_ leaves: [OutputUnit]) -> [OutputUnit] {
    var meant: Set<String> = []
    for leaf in leaves {
      guard case .unknownProperty(let key, let known) = leaf.cause,
        let near = NearestName.of(key, in: known)
      else { continue }
      let parent = JSONPointer(Array(leaf.instancePointer.tokens.dropLast()))
      meant.insert(parent.appending(near).description)
    }
    guard !meant.isEmpty else { return leaves }
    return leaves.filter { leaf in
      guard case .required(let key) = leaf.cause else { return true }
      return !meant.contains(leaf.instancePointer.appending(key).description)
    }
  }

  private static func finding(_ leaf: OutputUnit) -> Finding {
    var range = leaf.range
    var suggestion: Suggestion?
    switch leaf.cause {
    case .unknownProperty(let key, let known):
      range = leaf.keyRange ?? leaf.range
      suggestion = NearestName.of(key, in: known).map {
        Suggestion(kind: .key, replacement: $0, range: leaf.keyRange)
      }
    case .required:
      // An object can be long, so its key, or otherwise its first line, is shown.
      range = leaf.keyRange ?? leaf.range
    case .values(let values, let found): suggestion = nearestValue(to: found, in: values)
    case .type(let types, let found): suggestion = otherType(of: found, types)
    default: break
    }
    return Finding(
      message: leaf.message ?? "is not valid", instancePointer: leaf.instancePointer,
      range: range, keyword: leaf.keyword ?? "false", schemaLocation: leaf.absoluteLocation,
      suggestion: suggestion)
  }

  private static func nearestValue(to found: JSONNode, in values: [JSONNode]) -> Suggestion? {
    var near: String?
    switch found.value {
    case .string(let text):
      near = NearestName.of(text, in: values.compactMap(\.string)).map(Messages.quoted)
      // A string that spells another literal was probably meant as that literal.
      near = near ?? values.first { $0.string == nil && $0.compactText == text }?.compactText
    case .number, .bool, .null:
      let text = found.compactText
      near = values.first { $0.string?.isByteEqual(to: text) ?? false }?.compactText
    default: near = nil
    }
    return near.map { Suggestion(kind: .value, replacement: $0, range: found.range) }
  }

  /// A number or literal in quotes, or a string without them.
  private static func otherType(of found: JSONNode, _ types: TypeSet) -> Suggestion? {
    let replacement: String
    switch found.value {
    case .string(let text):
      guard text.utf8.count <= 64, let document = try? JSONReader().read(text),
        types.admits(document.root), document.root.items == nil, document.root.members == nil
      else { return nil }
      replacement = document.root.compactText
    case .number, .bool:
      guard types.contains(.string) else { return nil }
      replacement = Messages.quoted(found.compactText)
    default: return nil
    }
    return Suggestion(kind: .value, replacement: replacement, range: found.range)
  }
}

enum BranchChoice {
  /// How far a branch is from matching; the smallest is the one to explain.
  ///
  /// A wrong kind is one that a `const` or `enum` of the value or of one of its members shows; wrong keys are missing or unknown here.
  private typealias Misfit = (
    wrongType: Int, wrongKind: Int, wrongKeys: Int, near: Int, total: Int
  )

  /// The failures of the branch that matches best, or one failure that summarizes all branches.
  static func leaves(of unit: OutputUnit) -> [OutputUnit] {
    let branches = unit.children.map { FindingCollector.leaves(of: $0) }.filter { !$0.isEmpty }
    guard let first = branches.first else { return [unit] }
    if branches.count == 1 { return first }
    if let merged = merged(branches, of: unit) { return [merged] }
    let depth = unit.instancePointer.tokens.count
    let scored = branches.map { (misfit(of: $0, depth: depth), $0) }
    return scored.dropFirst().reduce(scored[0]) { $1.0 < $0.0 ? $1 : $0 }.1
  }

  private static func misfit(of leaves: [OutputUnit], depth: Int) -> Misfit {
    var misfit: Misfit = (0, 0, 0, 0, 0)
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
    for candidate in branches.first ?? [] {
      let same = branches.compactMap { branch in
        branch.lazy.compactMap { leaf -> (leaf: OutputUnit, own: [JSONNode], found: JSONNode)? in
          guard case .values(let own, let found) = leaf.cause,
            leaf.instancePointer == candidate.instancePointer
          else { return nil }
          return (leaf, own, found)
        }.first
      }
      guard same.count == branches.count, let (leaf, _, found) = same.first else { continue }
      var values: [JSONNode] = []
      for value in same.flatMap(\.own) where !values.contains(where: { $0.isEqual(to: value) }) {
        values.append(value)
      }
      return leaf.replacing(message: Messages.values(values), cause: .values(values, found: found))
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

enum NearestName {
  /// The nearest candidate, up to a third of the length away; ties go to the earlier one.
  static func of(_ name: String, in candidates: [String]) -> String? {
    let wrong = folded(name)
    guard !wrong.isEmpty, wrong.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for candidate in candidates where !candidate.isByteEqual(to: name) {
      let right = folded(candidate)
      let allowed = max(1, max(wrong.count, right.count) / 3)
      guard right.count <= 64, abs(right.count - wrong.count) <= allowed else { continue }
      let distance = editDistance(wrong, right)
      guard distance <= allowed, distance < max(wrong.count, right.count),
        distance < best?.distance ?? .max
      else { continue }
      best = (candidate, distance)
    }
    return best?.name
  }

  /// Lower-case scalars without `-` and `_`, so that naming style does not matter.
  private static func folded(_ name: String) -> [Unicode.Scalar] {
    name.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" }
  }
}
