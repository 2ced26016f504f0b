import Basics
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
  /// One expression in this many is of another type than requested,
  /// or names something that does not exist.
  let errorInterval: Int
  var names: [Name] = []
  var hasResponse = false
  /// Values that a run may find of any kind, so that failures on it are the data's.
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
    return filled(pick(ways(kind)), depth: depth - 1)
  }

  /// Puts expressions in place of `§` and a letter: a capital may be deep, a small one is not.
  private mutating func filled(_ pattern: String, depth: Int) -> String {
    var result = ""
    var isHole = false
    for character in pattern {
      if isHole {
        let kind = Self.letters[Character(character.lowercased())] ?? .any
        result += expression(kind, depth: character.isUppercase ? depth : 0)
        isHole = false
      } else if character == "§" {
        isHole = true
      } else {
        result.append(character)
      }
    }
    return result
  }

  private static let letters: [Character: Kind] = [
    "s": .string, "i": .int, "b": .bool, "d": .duration, "t": .timestamp, "f": .file,
    "l": .strings, "n": .ints, "a": .any,
  ]

  /// Patterns of expressions of a kind.
  private mutating func ways(_ kind: Kind) -> [String] {
    let field = pick(RandomServer.fields)
    let hasFile = names.contains { $0.kind == .file }
    var ways = Self.patterns[kind] ?? []
    if hasFile { ways += Self.patternsOnFiles[kind] ?? [] }
    if hasResponse {
      ways += (Self.patternsOnAnswers[kind] ?? []).map { $0.replacing("FIELD", with: field) }
    }
    return ways.isEmpty ? [leaf(kind)] : ways
  }

  private static let patterns: [Kind: [String]] = [
    .string: [
      "§S + §S", "string(§I)", "urlEscape(§S)", "§S.lowerAscii()", "hex(sha256(§S))",
      "§L.join(\"-\")", "json({\"a\": §I})", "json({\"a\": §N})", "(§B ? §s : \"b\")", "string(§D)",
      "§l[§i]", "\"%s %d\".format([§s, §i])", "§S.replace(\"a\", §s)", "string(§T)",
    ],
    .int: [
      "(§I + §i)", "(§I - §i)", "(§I * §i)", "(§I / §i)", "(§I % §i)", "size(§S)", "size(§L)",
      "size(§N)", "§t.getFullYear()", "math.greatest(§I, 3)", "§N[0]", "int(§s)",
      "(§B ? §i : §i)",
    ],
    .bool: [
      "§I < §I", "§S == §s", "(§B && §b)", "(§b || §B)", "!(§B)", "§S.startsWith(\"h\")",
      "§I in §n",
      "§L.exists(v, v == \"a\")", "§T < now", "§D > duration(\"1s\")", "§S.matches(\"^a\")",
    ],
    .duration: ["§D + §d", "duration(string(§I) + \"s\")", "(§t - §t)"],
    .timestamp: ["(§t + §d)", "timestamp(§S)"],
    .strings: [
      "§S.split(\",\")", "§l.map(v, v + \"x\")", "§l.filter(v, v.contains(\"a\"))", "§l + §l",
    ],
    .ints: ["§n.map(v, v * 2)", "§l.map(v, size(v))", "ranges(§i, 1024).map(r, r.length)"],
    .any: ["parseJson(§S)", "dyn(§I)", "dyn(§L)"],
  ]

  private static let patternsOnFiles: [Kind: [String]] = [
    .string: ["§f.name", "§f.path", "§f.extension", "§f.content_type"], .int: ["§f.size"],
    .timestamp: ["§f.modified"],
  ]

  private static let patternsOnAnswers: [Kind: [String]] = [
    .string: [
      "response.text", "response.url", "response.error", "response.headers[\"content-type\"]",
      "header(response.headers, \"x-a\").orValue(\"\")", "string(response.json.FIELD)",
    ],
    .int: ["response.status", "size(history.statuses)", "int(response.json.FIELD)"],
    .bool: [
      "response.status == 200", "response.status in [404, 410]", "has(response.json.FIELD)",
      "response.json.FIELD == §s", "response.status >= 500",
    ],
    .timestamp: ["timestamp(response.json.at)"], .any: ["response.json.FIELD"],
  ]

  private mutating func leaf(_ kind: Kind) -> String {
    switch kind {
    case .string: return pick(["\"a\"", "\"http://h/\"", "\"a b,c\"", "run.id", "string(now)"])
    case .int: return "\(pick([0, 1, 2, 7, 1024, 9_000_000_000]))"
    case .bool: return pick(["true", "false", "size(run.id) > 3"])
    case .duration: return pick(["duration(\"5s\")", "duration(\"1h\")"])
    case .timestamp: return pick(["now", "timestamp(\"2030-01-01T00:00:00Z\")"])
    case .strings: return pick(["[\"a\", \"b\"]", "[\"x\"]"])
    case .ints: return pick(["[1, 2, 3]", "[0]"])
    case .any where hasResponse: return "response.json.\(pick(RandomServer.fields))"
    case .any: return "dyn(1)"
    case .file: return names.first { $0.kind == .file }?.text ?? "inputs.missing"
    }
  }
}
