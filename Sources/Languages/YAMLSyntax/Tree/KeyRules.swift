/// YAML's rules for keys of a mapping beyond syntax.
enum KeyRules {
  /// Below this many entries a scan over the earlier keys is cheaper than a hash table.
  private static let smallMapping = 12

  static func check(_ entries: [YAMLEntry], into issues: inout [YAMLIssue]) {
    var seen: [CoreValue: YAMLNode] = [:]
    for index in entries.indices {
      let entry = entries[index]
      guard let value = entry.key.scalarValue else {
        if !entry.key.isUnresolvedAlias { issues.append(nonString(entry.key, "a collection")) }
        continue
      }
      check(value, key: entry.key, into: &issues)
      let first: YAMLNode?
      if entries.count > smallMapping {
        first = seen[value]
        if first == nil { seen[value] = entry.key }
      } else {
        first = entries[..<index].firstIndex { $0.key.has(value) }.map { entries[$0].key }
      }
      if let first {
        issues.append(
          YAMLIssue(
            .duplicateKey, "duplicate key '\(entry.key.scalar?.text ?? "")'", at: entry.key.range,
            notes: [YAMLIssue.Note(message: "first used here", range: first.range)]))
      }
    }
  }

  private static func check(_ value: CoreValue, key: YAMLNode, into issues: inout [YAMLIssue]) {
    switch value {
    case .string(let text):
      let isMerge =
        text == "<<" && key.scalar?.style == .plain
        && (key.scalar?.tag == nil || key.scalar?.tag == "tag:yaml.org,2002:merge")
      if isMerge {
        issues.append(
          YAMLIssue(
            .mergeKey, "the merge key '<<' is not part of YAML 1.2; write the keys out",
            at: key.range))
      }
    case .null: issues.append(nonString(key, "null"))
    case .bool: issues.append(nonString(key, "a boolean"))
    case .int, .bigInt, .double: issues.append(nonString(key, "a number"))
    }
  }

  private static func nonString(_ key: YAMLNode, _ kind: String) -> YAMLIssue {
    var fix: YAMLIssue.Fix?
    if case .scalar(let scalar) = key.content, scalar.style == .plain, scalar.tag == nil,
      key.anchor == nil, !scalar.text.isEmpty
    {
      fix = YAMLIssue.Fix(range: key.range, replacement: "\"\(scalar.text)\"")
    }
    let advice = fix == nil ? "" : "; quote it"
    return YAMLIssue(
      .nonStringKey, "a key must be a string, but this one is \(kind)\(advice)", at: key.range,
      fix: fix)
  }
}

extension YAMLNode {
  fileprivate func has(_ value: CoreValue) -> Bool {
    if case .string(let text) = value { isString(text) } else { scalarValue == value }
  }

  /// Whether it is an alias without an anchor, which is reported when the alias is read.
  fileprivate var isUnresolvedAlias: Bool {
    if case .alias(_, nil) = resolved.content { true } else { false }
  }
}
