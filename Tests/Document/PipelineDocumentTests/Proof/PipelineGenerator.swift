import PipelineCore

/// Draws whole documents: nearly in order, of every kind of step, with references to what stands before.
struct PipelineGenerator {
  private(set) var expressions: ExpressionGenerator
  private var made: [(id: String, outputs: [String])] = []
  private var count = 0

  init(seed: UInt64) {
    // Two documents of three draw no mistake on purpose.
    expressions = ExpressionGenerator(seed: seed, errorInterval: seed % 3 == 0 ? 120 : 1_000_000)
  }

  static let inputs: [(name: String, type: String, kind: ExpressionGenerator.Kind)] = [
    ("server", "url", .string), ("text", "string", .string), ("key", "secret", .string),
    ("count", "int", .int), ("limit", "size", .int), ("isOn", "bool", .bool),
    ("pause", "duration", .duration), ("one", "file", .file),
  ]

  mutating func document() -> String {
    var text = "pipeline: drawn\ninputs:\n"
    for input in Self.inputs where !expressions.chance(3) || input.name == "server" {
      let name = input.name.lowercased()
      text += "  \(name): { type: \(input.type) }\n"
      expressions.declare("inputs.\(name)", input.kind)
    }
    text += "  all: { type: files }\n"
    if expressions.chance(2) { text += "budgets: { disk: 1 GiB, transfers: 9 }\n" }
    if expressions.chance(3) {
      text +=
        "retry: { standard: { attempts: 2, exhausted: \(expressions.pick(["fail", "pause"])) } }\n"
    }
    text += "steps:\n"
    let limit = expressions.number(1...6)
    while count < limit {
      text += expressions.chance(2) ? loop(limit) : step("  ", inLoop: false)
    }
    return text
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private mutating func marked(_ kind: ExpressionGenerator.Kind) -> String {
    quoted(expressions.marked(kind))
  }

  private mutating func loop(_ limit: Int) -> String {
    let outer = expressions
    let outerMade = made
    let lists: [(list: String, kind: ExpressionGenerator.Kind)] = [
      ("inputs.all", .file), ("inputs.all.filter(f, f.size > 10)", .file),
      (expressions.expression(.strings), .string), (expressions.expression(.ints), .int),
    ]
    let (list, kind) = expressions.pick(lists)
    let name = "it\(count)"
    var text = "  - for_each: \(name)\n    in: \(quoted("${{ \(list) }}"))\n"
    if expressions.chance(2) { text += "    concurrency: \(expressions.number(1...3))\n" }
    text += "    steps:\n"
    expressions.declare(name, kind)
    expressions.declare("item.key", .string)
    expressions.declare("item.index", .int)
    repeat { text += step("      ", inLoop: true) } while count < limit && !expressions.chance(3)
    if expressions.chance(4) {
      text += "    on_abandon:\n      - request: \(request(method: "DELETE"))\n"
    }
    // The steps of a loop are not visible outside of it.
    expressions.names = outer.names
    made = outerMade
    return text
  }

  private mutating func step(_ indent: String, inLoop: Bool) -> String {
    let id = "s\(count)"
    count += 1
    var lines = ["\(indent)- id: \(id)"]
    func add(_ key: String, _ value: String) { lines.append("\(indent)  \(key): \(value)") }
    if expressions.chance(5) { add("if", marked(.bool)) }
    let hasFile = expressions.names.contains { $0.kind == .file }
    let isFile = expressions.chance(4)
    if isFile {
      add("materialize", materialize(hasFile))
      // Digests are there only where they are computed.
      expressions.declare("steps.\(id).file", .file)
      made.append((id, []))
      return lines.joined(separator: "\n") + "\n"
    }
    let body = "file: \(quoted(hasFile ? "${{ \(expressions.expression(.file)) }}" : "${{ 1 }}"))"
    let isUpload = hasFile && expressions.chance(3)
    if isUpload {
      add("upload", "{ \(target()), \(body) }")
    } else {
      add("request", request(method: expressions.pick(["GET", "POST", "PUT"])))
    }
    if expressions.chance(3) {
      add("effect", "create")
      add("idempotency", "{ header: Idempotency-Key }")
    } else {
      add("effect", "repeatable")
    }
    if expressions.chance(4) {
      let probe = request(method: "GET")
      expressions.hasResponse = true
      add("probe", "{ request: \(probe), took_effect: \(marked(.bool)) }")
      expressions.hasResponse = false
    }
    if expressions.chance(4), let earlier = made.randomElement(using: &expressions.random) {
      add("depends_on", "[\(earlier.id)]")
    }
    lines += answers(indent, id, inLoop: inLoop)
    return lines.joined(separator: "\n") + "\n"
  }

  /// A step's use of responses: `on` and `outputs`.
  private mutating func answers(_ indent: String, _ id: String, inLoop: Bool) -> [String] {
    var lines: [String] = []
    expressions.hasResponse = true
    defer { expressions.hasResponse = false }
    let entries = expressions.number(0...2)
    if entries > 0 { lines.append("\(indent)  on:") }
    for _ in 0..<entries {
      var words = ["retry", "fail", "pause", "poll", "success"]
      if inLoop { words += ["finish_item", "skip_item"] }
      var outcome = "then: \(expressions.pick(words))"
      if expressions.chance(3), let earlier = made.randomElement(using: &expressions.random) {
        outcome = "expired: \(earlier.id)"
      } else if outcome.hasSuffix("poll") || (outcome.hasSuffix("retry") && expressions.chance(2)) {
        outcome += ", after: \(marked(.duration))"
      }
      if expressions.chance(3) {
        outcome += ", message: \(quoted("m ${{ \(expressions.expression(.string)) }}"))"
      }
      lines.append("\(indent)    - { if: \(marked(.bool)), \(outcome) }")
    }
    let outputs = expressions.number(0...2)
    var names: [String] = []
    if outputs > 0 { lines.append("\(indent)  outputs:") }
    var declared: [(String, ExpressionGenerator.Kind)] = []
    for index in 0..<outputs {
      let kinds: [ExpressionGenerator.Kind] = [
        .string, .int, .bool, .any, .strings, .timestamp, .any,
      ]
      let kind = expressions.pick(kinds)
      var value = "value: \(marked(kind))"
      if expressions.chance(3) {
        value += ", expires: { "
        value +=
          expressions.chance(2)
          ? "in: \(expressions.chance(2) ? "10m" : marked(.duration))" : "at: \(marked(.timestamp))"
        value += " }"
      }
      if expressions.chance(4) { value += ", secret: true" }
      lines.append("\(indent)    o\(index): { \(value) }")
      declared.append(("steps.\(id).o\(index)", kind))
      names.append("o\(index)")
    }
    for (name, kind) in declared { expressions.declare(name, kind) }
    made.append((id, names))
    return lines
  }

  private mutating func target() -> String {
    let url = quoted("${{ inputs.server }}/x/${{ urlEscape(\(expressions.expression(.string))) }}")
    var text = "url: \(url)"
    if expressions.chance(3) { text += ", bearer: \(marked(.string))" }
    if expressions.chance(3) {
      text += ", headers: { X-A: \(quoted("v${{ \(expressions.expression(.int)) }}")) }"
    }
    if expressions.chance(4) {
      text += ", query: { q: \(marked(expressions.pick([.string, .int, .bool]))) }"
    }
    return text
  }

  private mutating func request(method: String) -> String {
    var text = "{ method: \(method), \(target())"
    if method == "POST" || method == "PUT" {
      switch expressions.number(0...3) {
      case 0:
        let kinds: [ExpressionGenerator.Kind] = [.string, .int, .any, .ints, .bool, .duration]
        text += ", json: { a: \(marked(expressions.pick(kinds))), b: [1, \(marked(.string))] }"
      case 1: text += ", form: { a: \(marked(.string)), b: \(marked(.int)) }"
      case 2: text += ", text: \(quoted("t ${{ \(expressions.expression(.string)) }}"))"
      default: break
      }
    }
    return text + " }"
  }

  private mutating func materialize(_ hasFile: Bool) -> String {
    switch expressions.number(hasFile ? 0...3 : 2...3) {
    case 0: return "{ file: \(marked(.file)), digests: [sha256] }"
    case 1:
      return """
        { multipart: [{ name: a, text: \(marked(.string)) }, { name: f, file: \(marked(.file)) }] }
        """
    case 2: return "{ json: { a: \(marked(.int)), b: \(marked(.string)) } }"
    default: return "{ text: \(quoted("x ${{ \(expressions.expression(.string)) }}")) }"
    }
  }
}
