import CEL
import Foundation
import PipelineConformance
import PipelineCore
import PipelineEngine
import Testing

/// The members of the stored form, as `docs/checkpoints.md` lists them:
/// the table comes from the output of the coding.
struct StoredMembersTests {
  /// One member of one kind of object.
  private struct Member: Hashable, Comparable {
    let kind: String
    let name: String

    static func < (left: Self, right: Self) -> Bool {
      (left.kind, left.name) < (right.kind, right.name)
    }
  }

  /// What objects are, by the member that holds them; all others are values of users.
  private static let kinds = [
    "steps": "step", "failure": "failure", "reason": "failure", "cause": "failure", "file": "file",
    "outputs": "output", "previous": "output", "batch": "batch", "abandoning": "abandoning",
    "loops": "loop", "remnants": "remnant",
    "time": "time", "parts": "parts", "active": "step",
  ]

  private static func collect(
    _ json: [UInt8], _ kind: String, _ found: inout [Member: String]
  ) throws {
    guard !json.isEmpty else { return }
    collect(try Value(json: json), kind, &found)
  }

  private static func members(_ value: Value) -> [(name: String, value: Value)] {
    guard case .map(let map) = value else { return [] }
    return map.compactMap { key, value in
      if case .string(let name) = key { (name, value) } else { nil }
    }
  }

  private static func collect(_ object: Value, _ kind: String, _ found: inout [Member: String]) {
    for (name, value) in members(object) {
      found[Member(kind: kind, name: name)] = word(for: value, name)
      guard let inner = kinds[name] else { continue }
      if case .list(let list) = value {
        for element in list { collect(element, inner, &found) }
      } else if ["steps", "active"].contains(name) {
        for step in members(value) {
          if name == "steps" {
            collect(step.value, inner, &found)
          } else {
            collect(.map(MapValue([("steps", step.value)])), "parts", &found)
            found[Member(kind: "parts", name: "steps")] = nil
          }
        }
      } else {
        collect(value, inner, &found)
      }
    }
  }

  private static func word(for value: Value, _ name: String) -> String {
    switch (name, value) {
    case ("value", _): "a value"
    case ("steps", _): "`step` by its ID"
    case ("active", _): "`steps` by the number of the part"
    case ("inputs", _): "values by name"
    case ("clocks", _): "two numbers by host"
    case ("rates", _): "two numbers by the rate's name"
    case ("loops", _), ("outputs", _), ("previous", _), ("remnants", _):
      "a list of `\(kinds[name] ?? "")`"
    case (_, .string): "text"
    case (_, .bool): "`true`, or left out"
    case (_, .int), (_, .double): "a number"
    case (_, .list): "numbers"
    default: "`\(kinds[name] ?? "?")`"
    }
  }

  /// Members that the coding writes of a run and an item in which no field has its first value.
  private static func written() throws -> [Member: String] {
    let coding = CheckpointCoding(Sample.pipeline)
    var found: [Member: String] = [:]
    try collect(coding.encode(GoldenStoreTests.state), "state", &found)
    try collect(coding.encode(progress: GoldenStoreTests.leaving), "progress", &found)
    return found
  }

  private static func table() throws -> String {
    let rows = try written().sorted { $0.key < $1.key }.map { member, word in
      "| `\(member.kind)` | `\(member.name)` | \(word) |"
    }
    return (["| object | member | is |", "|---|---|---|"] + rows).joined(separator: "\n")
  }

  @Test func `the page lists the members that the coding writes`() throws {
    let file = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/checkpoints.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    let begin = try #require(page.range(of: "<!-- members: generated -->\n"))
    let end = try #require(page.range(of: "\n<!-- members: end -->"))
    let table = try Self.table()
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
      let whole = page.replacingCharacters(in: begin.upperBound..<end.lowerBound, with: table)
      try Data(whole.utf8).write(to: file)
      return
    }
    #expect(
      page[begin.upperBound..<end.lowerBound] == table,
      "run with UPDATE_GENERATED=1; from 1.0 on, a new member needs a new version of the form")
  }

  @Test func `the sample does not leave any field at its first value`() throws {
    func check<Value>(_ full: Value, _ first: Value, except: Set<String> = []) {
      for (one, other) in zip(Mirror(reflecting: full).children, Mirror(reflecting: first).children)
      where !except.contains(one.label ?? "") {
        #expect("\(one.value)" != "\(other.value)", "\(Value.self).\(one.label ?? "")")
      }
    }
    let step = Sample.parts(OutputValue(value: .null))
    check(step, StepState())
    check(try #require(step.batch), BatchMembership(first: 0, generation: 0, items: 0))
    check(
      try #require(GoldenStoreTests.leaving.abandoning),
      Item.AbandonProgress(index: 1, attempt: 0, next: .failed))
    // Not part of the stored form: secrets, the allowance and the window.
    check(
      GoldenStoreTests.state, Sample.state(),
      except: ["id", "inputs", "secrets", "began", "allowance"])
    var loop = GoldenStoreTests.state.loops[0]
    loop.isRequeued = true
    check(loop, LoopState(), except: ["cursor", "active", "ready", "isLoading"])
  }
}
