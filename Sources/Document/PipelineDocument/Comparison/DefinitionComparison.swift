/// The differences between two texts of one pipeline, ignoring comments, key order, anchors and style.
public struct DefinitionComparison: Hashable, Sendable {
  /// Steps that differ, were added, or were removed, by ID, in the order of the newer text.
  public let changedSteps: [Change]
  /// Top-level keys other than `steps`, and keys of loops other than their steps, that differ.
  public let changedSettings: [String]

  /// How a step differs.
  public struct Change: Hashable, Sendable {
    /// The step's ID.
    public let step: String
    /// How it differs.
    public let kind: Kind

    /// How a step differs.
    public enum Kind: Hashable, Sendable {
      case added, removed
      case changed(keys: [String])
      case moved
    }
  }

  /// Compares two texts; for texts that are not YAML, no differences are reported.
  public init(older: String, newer: String) {
    let before = Outline(older)
    let after = Outline(newer)
    var changes: [Change] = []
    for step in after.steps {
      guard let old = before.keys[step] else {
        changes.append(Change(step: step, kind: .added))
        continue
      }
      let new = after.keys[step] ?? [:]
      let keys = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
      if !keys.isEmpty { changes.append(Change(step: step, kind: .changed(keys: keys))) }
    }
    for step in before.steps where after.keys[step] == nil {
      changes.append(Change(step: step, kind: .removed))
    }
    let common = before.steps.filter { after.keys[$0] != nil }
    for (old, new) in zip(common, after.steps.filter { before.keys[$0] != nil }) where old != new {
      changes.append(Change(step: new, kind: .moved))
    }
    changedSteps = changes
    changedSettings = Set(before.settings.keys).union(after.settings.keys)
      .filter { before.settings[$0] != after.settings[$0] }.sorted()
  }

  /// Whether nothing differs.
  public var isEmpty: Bool { changedSteps.isEmpty && changedSettings.isEmpty }

  private struct Outline {
    package var steps: [String] = []
    package var keys: [String: [String: String]] = [:]
    var settings: [String: String] = [:]

    init(_ text: String) {
      guard let root = YAMLDocument.parse(text).root else { return }
      for entry in root.mapping ?? [] {
        guard let name = entry.name else { continue }
        if name == "steps" {
          add(entry.value, prefix: "")
        } else {
          settings[name] = Self.canonical(entry.value)
        }
      }
    }

    private mutating func add(_ list: YAMLNode, prefix: String) {
      for node in list.sequence ?? [] {
        let entries = node.mapping ?? []
        if let variable = node["for_each"]?.string {
          for entry in entries where entry.name != "steps" {
            settings["for_each \(variable): \(entry.name ?? "")"] = Self.canonical(entry.value)
          }
          if let inner = node["steps"] { add(inner, prefix: variable) }
        } else if let id = node["id"]?.string {
          steps.append(id)
          var fields = ["(loop)": prefix]
          for entry in entries { fields[entry.name ?? ""] = Self.canonical(entry.value) }
          keys[id] = fields
        }
      }
    }

    private static func canonical(_ node: YAMLNode) -> String {
      if let scalar = node.scalar { return "\(scalar.value)" }
      if let elements = node.sequence {
        return "[" + elements.map(canonical).joined(separator: ",") + "]"
      }
      let entries = (node.mapping ?? []).map { "\(canonical($0.key)):\(canonical($0.value))" }
      return "{" + entries.sorted().joined(separator: ",") + "}"
    }
  }
}
