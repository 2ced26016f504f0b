import Basics
import Foundation
import JSONSchema
import PipelineCommands
import TestSupport
import Testing

/// The JSON output of commands conforms to their schemas.
struct OutputSchemaTests {
  /// What needs a database to be printed: `DatabaseTests` looks at that.
  private static let inDatabase: Set<String> = ["database-runs", "worker-progress"]
  private static let outputs = PrintedSchema.all
    .filter { !$0.commands.isEmpty && !inDatabase.contains($0.name) }.map(\.name)
  private static let declared = OutputSchema.all.map(\.name)

  private static func schema(_ name: String) throws -> Schema {
    let text = try #require(PrintedSchema.all.first { $0.name == name }).text()
    return try Schema.compile(
      try JSONReader().read(text).root, options: .init(assertsFormat: true))
  }

  // MARK: Every output has a schema

  /// The options that make a command print JSON, such as `runs list --format`, from the parser's help for programs.
  private static func options() async throws -> Set<String> {
    let dump = try await Scene().pipeline.run("--experimental-dump-help")
    let root = try JSON.object(dump.output)["command"] as? [String: Any] ?? [:]
    var found: Set<String> = []
    func look(at command: [String: Any], _ path: [String]) {
      for argument in command["arguments"] as? [[String: Any]] ?? [] {
        let name = (argument["names"] as? [[String: Any]])?.last?["name"] as? String
        let words = argument["abstract"] as? String ?? ""
        let isJSON =
          (argument["allValues"] as? [String])?.contains("json") == true
          || words.contains(/JSON(?! Schema)/)
        guard isJSON, let name else { continue }
        found.insert((path + ["--\(name)"]).joined(separator: " "))
      }
      for sub in command["subcommands"] as? [[String: Any]] ?? [] {
        look(at: sub, path + [sub["commandName"] as? String ?? ""])
      }
    }
    look(at: root, [])
    return found
  }

  @Test func `each option that asks for JSON has a schema, and each schema an option`() async throws
  {
    let described = PrintedSchema.all.flatMap(\.commands).compactMap { line -> String? in
      let words = line.split(separator: " ")
      guard let last = words.last(where: { $0.hasPrefix("--") }) else { return nil }
      return (words.prefix { !$0.hasPrefix("--") } + [last]).joined(separator: " ")
    }
    let options = try await Self.options()
    #expect(options.count > 20)
    // Options that need a schema in addition to `--format`: an option whose help names JSON.
    #expect(options.isSuperset(of: ["demo-server --journal", "run --report", "simulate --trace"]))
    #expect(Set(described).symmetricDifference(options) == [])
  }

  // MARK: Outputs fit

  @Test(arguments: outputs)
  func `the commands' output fits the schema`(name: String) async throws {
    let schema = try Self.schema(name)
    let texts = try await PrintedOutputs.all.value.texts[name] ?? []
    #expect(!texts.isEmpty)
    for text in texts {
      let findings = schema.validate(try JSONReader().read(text).root).findings
      #expect(findings.isEmpty, "\(findings): \(text)")
    }
  }

  @Test(arguments: outputs)
  func `a misspelled member does not fit`(name: String) async throws {
    let schema = try Self.schema(name)
    var members = try SchemaMembers(
      try #require(PrintedSchema.all.first { $0.name == name }).text())
    var tried: Set<String> = []
    for text in try await PrintedOutputs.all.value.texts[name] ?? [] {
      try members.look(at: text)
      for place in members.places where tried.insert(place.name).inserted {
        let wrong = try SchemaMembers.misspelled(text, at: place.path)
        #expect(!schema.validate(try JSONReader().read(wrong).root).isValid, "\(place.name)")
      }
    }
    // A value of any kind has no members to misspell.
    #expect(tried.isEmpty == (name == "value"))
  }

  /// Members that no output of these tests has: `SCHEMA MEMBER` in a line, where a member that ends with a dot means all below it.
  private static func unseen(_ schema: String) throws -> [String] {
    let url = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "unseen.txt")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ") }
      .filter { $0.first == schema[...] }.map { String($0[1]) }
  }

  @Test(arguments: declared.filter { !inDatabase.contains($0) })
  func `each member that a schema declares is printed`(name: String) async throws {
    let schema = try #require(OutputSchema.all.first { $0.name == name })
    var members = try SchemaMembers(schema.text)
    for text in try await PrintedOutputs.all.value.texts[name] ?? [] { try members.look(at: text) }
    let unseen = try Self.unseen(name)
    func covers(_ line: String, _ member: String) -> Bool {
      line.hasSuffix(".") ? member.hasPrefix(line) : member == line
    }
    let missing = members.declared.subtracting(members.seen)
    #expect(missing.filter { member in !unseen.contains { covers($0, member) } } == [])
    // No line for a member that is not declared.
    #expect(unseen.filter { line in !members.declared.contains { covers(line, $0) } } == [])
  }

  // MARK: Files and names

  @Test(arguments: declared)
  func `the schema on disk is the printed one`(name: String) throws {
    let schema = try #require(OutputSchema.all.first { $0.name == name })
    let folder = CommandRunner.packageRoot.appending(path: "Schemas/output")
    let file = folder.appending(path: "\(name).schema.json")
    if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(schema.text.utf8).write(to: file)
    }
    #expect(
      try String(contentsOf: file, encoding: .utf8) == schema.text, "run with UPDATE_GENERATED=1")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(files) == Set(Self.declared.map { "\($0).schema.json" }))
  }

  @Test func `schemas have names, which the shell completes`() async throws {
    let scene = try Scene()
    let wrong = try await scene.pipeline.run("schema", "histori")
    #expect(wrong.status == 64, "\(wrong)")
    #expect(wrong.error.contains("did you mean 'history'?"), "\(wrong)")
    #expect(try await scene.pipeline.run("schema", "run", "--list").status == 64)
    let list = try await scene.pipeline.run("schema", "--list")
    #expect(list.status == 0, "\(list)")
    for shell in ["bash", "zsh", "fish"] {
      let script = try await scene.pipeline.run("--generate-completion-script", shell)
      for schema in PrintedSchema.all {
        #expect(
          list.output.contains("\n\(schema.name) ") || list.output.hasPrefix("\(schema.name) "))
        #expect(script.output.contains(schema.name), "\(shell)")
      }
    }
    for name in ["pipeline", "history", "verification"] {
      let printed = try await scene.pipeline.run("schema", name)
      #expect(printed.output == PrintedSchema.all.first { $0.name == name }?.text())
    }
  }
}
