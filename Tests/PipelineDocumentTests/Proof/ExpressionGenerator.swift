import PipelineCore

/// Draws well-typed expressions from the names that are known where they stand; now and then a wrong one.
struct ExpressionGenerator {
  enum Kind: CaseIterable {
    case string, int, bool, duration, timestamp, file, strings, ints, any
  }

  struct Name: Hashable {
    let text: String
    let kind: Kind
  }

  var random: SplitMix64
  /// One expression in so many is of another type than is asked for, or names what is not there.
  let errorInterval: Int
  var names: [Name] = []
  var hasAnswer = false
  /// What a run may find of any kind, so that failures on it are the data's.
  private(set) var openNames: Set<String> = ["response.json", "parseJson", "dyn("]

  init(seed: UInt64, errorInterval: Int) {
    random = SplitMix64(seed: seed)
    self.errorInterval = errorInterval
  }

  mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func declare(_ name: String, _ kind: Kind) {
    names.append(Name(text: name, kind: kind))
    if kind == .any { openNames.insert(name) }
  }

  /// `${{ … }}`.
  mutating func marked(_ kind: Kind) -> String { "${{ \(expression(kind)) }}" }

  mutating func expression(_ kind: Kind, depth: Int = 3) -> String {
    if chance(errorInterval) {
      if chance(3) { return "steps.nowhere.nothing" }
      return expression(pick(Kind.allCases), depth: 0)
    }
    let known = names.filter { $0.kind == kind }.map(\.text)
    if !known.isEmpty, depth == 0 || chance(2) { return pick(known) }
    if depth == 0 { return leaf(kind) }
    switch kind {
    case .string: return string(depth - 1)
    case .int: return int(depth - 1)
    case .bool: return bool(depth - 1)
    case .duration:
      return pick(
        [
          { $0.leaf(.duration) },
          {
            "\($0.expression(.duration, depth: depth - 1)) + \($0.expression(.duration, depth: 0))"
          },
          { "duration(string(\($0.expression(.int, depth: depth - 1))) + \"s\")" },
          { "(\($0.expression(.timestamp, depth: 0)) - \($0.expression(.timestamp, depth: 0)))" },
        ] as [(inout Self) -> String])(&self)
    case .timestamp:
      return pick(
        [
          { "(\($0.expression(.timestamp, depth: 0)) + \($0.expression(.duration, depth: 0)))" },
          { "timestamp(\($0.expression(.string, depth: depth - 1)))" }, { $0.leaf(.timestamp) },
        ] as [(inout Self) -> String])(&self)
    case .file: return leaf(.file)
    case .strings:
      return pick(
        [
          { "\($0.expression(.string, depth: depth - 1)).split(\",\")" },
          { "\($0.expression(.strings, depth: 0)).map(v, v + \"x\")" },
          { "\($0.expression(.strings, depth: 0)).filter(v, v.contains(\"a\"))" },
        ] as [(inout Self) -> String])(&self)
    case .ints:
      return pick(
        [
          { "\($0.expression(.ints, depth: 0)).map(v, v * 2)" },
          { "\($0.expression(.strings, depth: 0)).map(v, size(v))" },
          { "ranges(\($0.expression(.int, depth: 0)), 4).map(r, r.length)" },
        ] as [(inout Self) -> String])(&self)
    case .any:
      return pick(
        [
          { $0.leaf(.any) },
          { "parseJson(\($0.expression(.string, depth: depth - 1)))" },
          { "dyn(\($0.expression(.int, depth: depth - 1)))" },
        ] as [(inout Self) -> String])(&self)
    }
  }

  private mutating func leaf(_ kind: Kind) -> String {
    switch kind {
    case .string: return pick(["\"a\"", "\"http://h/\"", "\"a b,c\"", "run.id", "string(now)"])
    case .int: return "\(pick([0, 1, 2, 7, 1024, 9_000_000_000]))"
    case .bool: return pick(["true", "false", "size(run.id) > 3"])
    case .duration: return pick(["duration(\"5s\")", "duration(\"1h\")"])
    case .timestamp: return pick(["now", "timestamp(\"2030-01-01T00:00:00Z\")"])
    case .strings: return pick(["[\"a\", \"b\"]", "[\"x\"]"])
    case .ints: return pick(["[1, 2, 3]", "[0]"])
    case .any where hasAnswer: return "response.json.\(pick(RandomServer.fields))"
    case .any: return "dyn(1)"
    case .file: return names.first { $0.kind == .file }?.text ?? "inputs.missing"
    }
  }

  private mutating func string(_ depth: Int) -> String {
    var ways: [(inout Self) -> String] = [
      { "\($0.expression(.string, depth: depth)) + \($0.expression(.string, depth: depth))" },
      { "string(\($0.expression(.int, depth: depth)))" },
      { "urlEscape(\($0.expression(.string, depth: depth)))" },
      { "\($0.expression(.string, depth: depth)).lowerAscii()" },
      { "hex(sha256(\($0.expression(.string, depth: depth))))" },
      { "\($0.expression(.strings, depth: depth)).join(\"-\")" },
      { "json({\"a\": \($0.expression($0.pick([.int, .string, .ints]), depth: depth))})" },
      {
        "(\($0.expression(.bool, depth: depth)) ? \($0.expression(.string, depth: 0)) : \"b\")"
      },
      { "string(\($0.expression(.duration, depth: depth)))" },
      { "\($0.expression(.strings, depth: 0))[\($0.expression(.int, depth: 0))]" },
      {
        "\"%s %d\".format([\($0.expression(.string, depth: 0)), \($0.expression(.int, depth: 0))])"
      },
    ]
    if names.contains(where: { $0.kind == .file }) {
      let fields = ["name", "path", "extension", "content_type"]
      ways += [{ "\($0.expression(.file, depth: 0)).\($0.pick(fields))" }]
    }
    if hasAnswer {
      ways += [
        { _ in "response.text" }, { _ in "response.url" }, { _ in "response.error" },
        { _ in "header(response.headers, \"x-a\").orValue(\"\")" },
        { _ in "response.headers[\"content-type\"]" },
        { "string(\($0.expression(.any, depth: 0)))" },
      ]
    }
    return pick(ways)(&self)
  }

  private mutating func int(_ depth: Int) -> String {
    var ways: [(inout Self) -> String] = [
      {
        let sign = $0.pick(["+", "-", "*", "/", "%"])
        return "(\($0.expression(.int, depth: depth)) \(sign) \($0.expression(.int, depth: 0)))"
      },
      { "size(\($0.expression($0.pick([.string, .strings, .ints]), depth: depth)))" },
      { "\($0.expression(.timestamp, depth: 0)).getFullYear()" },
      { "math.greatest(\($0.expression(.int, depth: depth)), 3)" },
      { "\($0.expression(.ints, depth: depth))[0]" },
      { "int(\($0.expression(.string, depth: 0)))" },
    ]
    if names.contains(where: { $0.kind == .file }) {
      ways.append { "\($0.expression(.file, depth: 0)).size" }
    }
    if hasAnswer {
      ways += [
        { _ in "response.status" }, { _ in "size(history.statuses)" },
        { "int(\($0.expression(.any, depth: 0)))" },
      ]
    }
    return pick(ways)(&self)
  }

  private mutating func bool(_ depth: Int) -> String {
    var ways: [(inout Self) -> String] = [
      { "\($0.expression(.int, depth: depth)) < \($0.expression(.int, depth: depth))" },
      { "\($0.expression(.string, depth: depth)) == \($0.expression(.string, depth: 0))" },
      { "(\($0.expression(.bool, depth: depth)) && \($0.expression(.bool, depth: 0)))" },
      { "(\($0.expression(.bool, depth: 0)) || \($0.expression(.bool, depth: depth)))" },
      { "!(\($0.expression(.bool, depth: depth)))" },
      { "\($0.expression(.string, depth: depth)).startsWith(\"h\")" },
      { "\($0.expression(.int, depth: depth)) in \($0.expression(.ints, depth: 0))" },
      { "\($0.expression(.strings, depth: depth)).exists(v, v == \"a\")" },
    ]
    if hasAnswer {
      ways += [
        { "response.status == \($0.pick([200, 401, 404, 409, 422, 503]))" },
        { "response.status in [404, 410]" },
        { "has(response.json.\($0.pick(RandomServer.fields)))" },
        { "\($0.expression(.any, depth: 0)) == \($0.expression(.string, depth: 0))" },
      ]
    }
    return pick(ways)(&self)
  }
}
