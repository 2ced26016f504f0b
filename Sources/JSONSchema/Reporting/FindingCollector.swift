import Basics

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

  /// What a failed sibling would have evaluated is not unevaluated for a cause of its own (core §7.7.1).
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

  /// A misspelt key is also a missing key; the spelling is the cause.
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
