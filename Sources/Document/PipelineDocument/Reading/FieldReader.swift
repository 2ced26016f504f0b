/// The entries of one mapping, checked against the keys of its construct.
package struct FieldReader {
  package let construct: Construct
  package let reader: DocumentReader
  package let node: YAMLNode
  /// At most one per key of the construct, which is too few for a hash table to pay off.
  fileprivate let entries: [(name: String, entry: YAMLEntry)]

  private func index(of key: String) -> Int? { entries.firstIndex { $0.name.isSame(as: key) } }
  package subscript(_ key: String) -> YAMLNode? { index(of: key).map { entries[$0].entry.value } }
  package func has(_ key: String) -> Bool { index(of: key) != nil }

  package func keyRange(_ key: String) -> TextRange? {
    index(of: key).map { reader.range(entries[$0].entry.key) }
  }

  /// The range for messages about the whole mapping: its first key.
  package var headRange: TextRange {
    if let first = node.mapping?.first, node === node.resolved { return reader.range(first.key) }
    return reader.range(node)
  }

  /// An integer no smaller than the minimum in the key table.
  package func integer(_ key: String) -> Int? {
    guard let node = self[key], case .integer(let minimum)? = construct.key(key)?.shape
    else { return nil }
    guard case .int(let number) = node.scalarValue
    else { return reader.refuse(node, expected: "an integer") }
    reader.noteReading(of: node)
    guard number >= minimum, number <= Int32.max else {
      reportRange(key, number < minimum ? "at least \(minimum)" : "at most \(Int32.max)", node)
      return nil
    }
    return Int(number)
  }

  /// Reports those of the keys that are present: they have no effect there.
  func reportUseless(
    _ keys: [String], _ message: (String) -> String, help: (String) -> String? = { _ in nil }
  ) {
    for key in keys {
      guard let range = keyRange(key) else { continue }
      reader.collector.report(.uselessKey, message(key), at: range, help: help(key))
    }
  }

  package func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of type: Choice.Type, what: String
  ) -> Choice? where Choice.RawValue == String {
    self[key].flatMap { reader.choice($0, of: type, what: what)?.value }
  }

  /// A number no smaller than the minimum in the key table.
  package func number(_ key: String) -> Double? {
    guard let node = self[key], let range = construct.key(key)?.shape.range else { return nil }
    let number: Double
    switch node.scalarValue {
    case .int(let value): number = Double(value)
    case .double(let value): number = value
    default: return reader.refuse(node, expected: "a number")
    }
    guard range.contains(number) else {
      let bound = number > range.upperBound ? range.upperBound : range.lowerBound
      let words = number > range.upperBound ? "at most" : "at least"
      reportRange(key, "\(words) \(Int(bound))", node)
      return nil
    }
    return number
  }

  private func reportRange(_ key: String, _ bound: String, _ node: YAMLNode) {
    reader.collector.report(
      .outOfRange, "'\(key)' is \(node.scalar?.text ?? ""), expected \(bound)",
      at: reader.range(node))
  }
}

extension ValueShape {
  fileprivate var range: ClosedRange<Double>? {
    switch self {
    case .number(let minimum): minimum...1e6
    case .fraction: 0...1
    default: nil
    }
  }
}

/// Advice on keys that a construct does not have.
///
/// The same key is looked up once, so that a file with thousands of equal mistakes is still checked fast.
private struct UnknownKeyAdvice {
  private let construct: Construct
  private var last: (name: String, nearest: String?, help: String)?

  init(_ construct: Construct) { self.construct = construct }

  /// The key that was most likely meant, and the help text.
  package mutating func on(_ name: String) -> (nearest: String?, help: String?) {
    if let last, last.name == name { return (last.nearest, last.help) }
    let known = construct.keys.map(\.name)
    let nearest = nearestName(to: name, among: known)
    let help = nearest.map { "did you mean '\($0)'?" } ?? "the keys are \(quotedList(known))"
    last = (name, nearest, help)
    return (nearest, help)
  }
}

extension DocumentReader {
  /// Reads `node` as a mapping with the keys of a construct and reports keys that do not fit;
  /// `nil` if it is not a mapping.
  package func fields(_ node: YAMLNode, _ name: Construct) -> FieldReader? {
    let construct = name
    guard let mapping = node.mapping
    else { return refuse(node, expected: "\(construct.phrase) as a mapping of keys") }
    var entries: [(name: String, entry: YAMLEntry)] = []
    entries.reserveCapacity(min(mapping.count, construct.keys.count))
    var hasReserved = false
    var advice = UnknownKeyAdvice(construct)
    for entry in mapping {
      guard let name = entry.name else { continue }
      if !construct.hasKey(name) {
        let meant = report(unknown: name, at: entry.key, in: construct, &advice)
        hasReserved = hasReserved || construct.reserved.contains(name)
        // Read as the key that was probably meant, so that one mistake does not cause others.
        if let meant, !mapping.contains(where: { $0.name == meant }),
          !entries.contains(where: { $0.name == meant })
        {
          entries.append((meant, entry))
        }
      } else if !entries.contains(where: { $0.name.isSame(as: name) }) {
        entries.append((name, entry))
      }
    }
    let fields = FieldReader(construct: construct, reader: self, node: node, entries: entries)
    // A reserved key may well replace the one that seems to be missing.
    guard !hasReserved else { return fields }
    for index in construct.required where !fields.has(construct.keys[index].name) {
      let key = construct.keys[index]
      collector.report(
        .missingKey, "\(construct.phrase) is missing the key '\(key.name)'", at: fields.headRange,
        help: key.examples.first.flatMap { example in
          example.stringValue.map { "for example: \(key.name): \($0)" }
        })
    }
    for index in construct.alternatives.indices { check(construct.alternatives[index], in: fields) }
    return fields
  }

  /// Reports an unknown key; returns the key that was probably meant.
  private func report(
    unknown name: String, at key: YAMLNode, in construct: Construct,
    _ advice: inout UnknownKeyAdvice
  ) -> String? {
    if let renamed = construct.renamed[name] {
      collector.report(
        .unknownKey, "unknown key '\(name)' in \(construct.phrase): \(renamed.reason)",
        at: range(key), help: "write '\(renamed.key)'",
        fix: Diagnostic.Fix(range: range(key), replacement: renamed.key))
      return renamed.key
    }
    guard !construct.reserved.contains(name), name != "<<" else {
      if name != "<<" {
        collector.report(
          .unsupportedKey, "the key '\(name)' is reserved and not supported yet", at: range(key))
      }
      return nil
    }
    let (nearest, help) = collector.onlyCounts(.unknownKey) ? (nil, nil) : advice.on(name)
    collector.report(
      .unknownKey, "unknown key '\(name)' in \(construct.phrase)", at: range(key), help: help,
      replacement: nearest)
    return nearest
  }

  private func check(_ alternatives: Construct.Alternatives, in fields: FieldReader) {
    // Nearly always exactly one of them is present.
    guard alternatives.keys.count(where: fields.has) != 1 else { return }
    let present = alternatives.keys.filter(fields.has)
    let phrase = fields.construct.phrase
    if present.isEmpty, alternatives.isRequired {
      collector.report(
        .missingKey,
        "\(phrase) needs exactly one of \(quotedList(alternatives.keys))", at: fields.headRange)
    }
    guard present.count > 1, let first = present.first, let second = present.last else { return }
    collector.report(
      .conflictingKeys,
      "\(phrase) has \(quotedList(present)), expected \(alternatives.isRequired ? "exactly" : "at most") one of these",
      at: fields.keyRange(second) ?? fields.headRange,
      note: ("'\(first)' is here", fields.keyRange(first)))
  }
}
