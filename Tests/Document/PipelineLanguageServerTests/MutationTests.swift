import CEL
import Foundation
import PipelineLanguageServer
import TestSupport
import Testing

/// Sessions made at random from fixed seeds: no message stops the server, and each is answered once.
struct MutationTests {
  /// SplitMix64; the seed is in the name of a failing case.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &self) }

    mutating func pick<Element>(_ elements: [Element], or other: Element) -> Element {
      elements.randomElement(using: &self) ?? other
    }
  }

  private static let pieces = [
    "${{", "}}", "${{ ", " }}", "\"", "'", "{", "}", "[", "]", ": ", "- ", "\n", "  ", "\n      ",
    "&a ", "*a", "#", "null", "é🙂", "漢", "\t", "\\", "steps.", "inputs.", "response.", ".",
    "$${{", "|\n", ">\n", "? ", "!!int ", "\r", "\u{FEFF}", "\u{2028}", "<<: ", "---\n", "item.",
    ".map(x, ", "cel.bind(", "hex(", ", ", "use: ", "headers: { ", "r\"", "'''", "// ", "expired: ",
    "dependsOn: [", "retry: ", "on:\n",
    "for_each: ", "\u{0}", "",
  ]

  private static let methods = [
    "completion", "hover", "definition", "references", "rename", "prepareRename",
    "documentSymbol", "codeAction", "completion", "hover", "signatureHelp", "documentHighlight",
    "foldingRange", "documentLink", "signatureHelp",
  ]

  static func texts() throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Pipelines")
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      .filter { $0.hasSuffix(".yaml") }
      .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
  }

  /// A few neighbouring lines, so that a session is short.
  private static func excerpt(_ text: String, _ generator: inout Generator) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let start = generator.below(lines.count)
    let window = lines[start..<min(lines.count, start + 5 + generator.below(25))]
    return window.joined(separator: "\n")
  }

  private static func position(_ text: String, _ generator: inout Generator) -> Value {
    if generator.below(20) == 0 {
      return [
        "line": Value(generator.below(1 << 40)), "character": Value(generator.below(1 << 40)),
      ]
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = generator.below(lines.count + 1)
    let width = line < lines.count ? lines[line].utf16.count : 3
    return ["line": Value(line), "character": Value(generator.below(width + 2))]
  }

  private static func change(_ text: String, _ generator: inout Generator) -> Value {
    if generator.below(12) == 0 { return ["text": .string(excerpt(text, &generator))] }
    let start = position(text, &generator)
    let end = generator.below(3) == 0 ? position(text, &generator) : start
    return [
      "range": ["start": start, "end": end],
      "text": .string(generator.pick(pieces, or: "")),
    ]
  }

  private static func message(
    _ id: Int, _ text: String, _ generator: inout Generator
  ) -> Message {
    let document: Value = ["uri": .string(Editor.uri), "version": Value(id)]
    if generator.below(2) == 0 {
      let changes = (0...generator.below(3)).map { _ in change(text, &generator) }
      return .notification(
        method: "textDocument/didChange",
        params: ["textDocument": document, "contentChanges": .list(changes)])
    }
    let place = position(text, &generator)
    return .request(
      .number(id), method: "textDocument/" + generator.pick(methods, or: "hover"),
      params: [
        "textDocument": document, "position": place, "range": ["start": place, "end": place],
        "newName": .string(generator.pick(["fresh", "allocate", "Bad", "in", ""], or: "a")),
        "context": ["triggerKind": 1, "includeDeclaration": true],
      ])
  }

  /// Sends messages one by one and counts answers; returns how many requests there were.
  ///
  /// What goes in and out are values: writing and reading JSON would need most of the time.
  private static func hold(_ seed: Int, _ text: String, steps: Int) throws -> Int {
    var generator = Generator(state: UInt64(seed))
    var server = LanguageServer(version: "test")
    let begin: [Message] = [
      .request(
        .number(0), method: "initialize", params: ["capabilities": .visualStudioCode]),
      .notification(
        method: "textDocument/didOpen",
        params: ["textDocument": ["uri": .string(Editor.uri), "text": .string(text)]]),
    ]
    #expect(server.receive(begin.map(Result.success)).count == 2)
    var requests = 0
    for id in 1..<(1 + steps) {
      let message = message(id, text, &generator)
      let answers = server.receive([.success(message)])
      guard case .request = message else {
        // Diagnostics follow a change, and nothing else.
        #expect(answers.count == 1, "seed \(seed)")
        if case .notification? = answers.first {} else { Issue.record("seed \(seed)") }
        continue
      }
      requests += 1
      guard answers.count == 1, case .response(.number(id)?, let result)? = answers.first else {
        Issue.record("seed \(seed): \(answers)")
        continue
      }
      if case .failure(let error) = result {
        #expect(error.code == .requestFailed, "seed \(seed): \(error)")
      }
    }
    return requests
  }

  @Test(arguments: 0..<8)
  func `short sessions with random edits are answered throughout`(_ part: Int) throws {
    let texts = try Self.texts()
    #expect(!texts.isEmpty)
    var requests = 0
    let sessions = TestFiles.isThorough ? 130 : 30
    for seed in (part * sessions)..<((part + 1) * sessions) {
      var generator = Generator(state: UInt64(seed) &* 31)
      let text = Self.excerpt(texts[seed % texts.count], &generator)
      requests += try Self.hold(seed, text, steps: 8)
    }
    #expect(requests > sessions)
  }

  @Test(arguments: 0..<4)
  func `whole pipelines with random edits are answered throughout`(_ seed: Int) throws {
    for (index, text) in try Self.texts().enumerated() {
      #expect(try Self.hold(seed * 100 + index, text, steps: 30) > 5)
    }
  }

  @Test(arguments: 0..<4)
  func `bytes that are damaged are answered with errors at most`(_ part: Int) throws {
    let text = "pipeline: a\nsteps: []\n"
    for seed in (part * 40)..<((part + 1) * 40) {
      var generator = Generator(state: UInt64(seed))
      var bytes: [UInt8] = []
      for id in 1...6 {
        bytes += FrameReader.frame(Self.message(id, text, &generator).bytes)
      }
      for _ in 0..<(1 + generator.below(4)) {
        let place = generator.below(bytes.count)
        switch generator.below(3) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8(generator.below(256)), at: place)
        default: bytes[place] = UInt8(generator.below(256))
        }
      }
      var editor = try Editor.started()
      try editor.open(text)
      var answers = 0
      var rest = bytes[...]
      while !rest.isEmpty {
        let size = 1 + generator.below(200)
        answers += try editor.send(rest.prefix(size)).count
        rest = rest.dropFirst(size)
      }
      #expect(answers <= 24, "seed \(seed)")
      // After any swallowed text, a well-formed message is finally read again.
      _ = try editor.send(Array(repeating: 0x20, count: 64) + Array("\r\n\r\n".utf8))
    }
  }
}
