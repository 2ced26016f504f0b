import PipelineCore
import PipelineDocument
import Testing

/// Whatever a file holds: the checker comes to an end, and what it says is about the text.
struct RobustnessTests {
  private static let batches = 0..<10
  private static let size = TestFiles.isThorough ? 400 : 8

  @Test(arguments: batches)
  func `a damaged file gives diagnostics that lie in its text`(_ batch: Int) throws {
    let clock = ContinuousClock()
    var longest = Duration.zero
    for (name, text) in try Self.samples(batch) {
      for seed in (batch * Self.size)..<((batch + 1) * Self.size) {
        var damage = TextDamage(seed: UInt64(seed))
        let bytes = damage.apply(to: Array(text.utf8))
        let began = clock.now
        let result = PipelineDocument.load(bytes: bytes, file: name)
        longest = max(longest, clock.now - began)
        let damaged = String(decoding: bytes, as: UTF8.self)
        let problems = Self.problems(of: result.diagnostics, in: damaged)
        #expect(problems == [], "seed \(seed), \(name)")
        try Self.fix(result.diagnostics, damaged, "seed \(seed), \(name)")
      }
    }
    if TestFiles.isThorough {
      print("batch \(batch): longest \(longest)")
      #expect(longest < .seconds(1), "batch \(batch)")
    }
  }

  /// Files that are in order, some for each batch.
  private static func samples(_ batch: Int) throws -> [(name: String, text: String)] {
    let files = try TestFiles.valid() + PipelineTemplate.all.map { ($0.name, try $0.text()) }
    return files.enumerated().filter { $0.offset % batches.count == batch }.map(\.element)
  }

  /// What is wrong with the places of diagnostics.
  static func problems(of diagnostics: [Diagnostic], in text: String) -> [String] {
    let lines = lengths(text)
    func isInside(_ place: TextPosition) -> Bool {
      place.line >= 1 && place.line <= lines.count && place.column >= 1
        && place.column <= lines[place.line - 1] + 1
    }
    var problems: [String] = []
    for diagnostic in diagnostics {
      let notes = diagnostic.notes.map(\.range)
      for range in [diagnostic.range] + notes + (diagnostic.fix.map { [$0.range] } ?? []) {
        // A replacement of a whole line ends where the next begins.
        let end = range.end.column == 1 && range.end.line == lines.count + 1
        if !isInside(range.start) || !(end || isInside(range.end)) || range.start > range.end {
          problems.append("\(diagnostic.code.rawValue) \(range.start)-\(range.end)")
        }
      }
    }
    if diagnostics.map(\.range.start) != diagnostics.map(\.range.start).sorted() {
      problems.append("not in the order of the text")
    }
    if Set(diagnostics).count != diagnostics.count { problems.append("something is said twice") }
    return problems
  }

  /// Lengths of lines in Unicode scalars; lines end at LF, CR LF or CR.
  private static func lengths(_ text: String) -> [Int] {
    var lengths = [0]
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if scalar == "\n", previous == "\r" {
      } else if scalar == "\n" || scalar == "\r" {
        lengths.append(0)
      } else if previous != nil || scalar != "\u{FEFF}" {
        lengths[lengths.count - 1] += 1
      }
      previous = scalar
    }
    return lengths
  }

  /// Fixes are applied until none is left; that comes to an end, and each text on the way can be loaded.
  private static func fix(
    _ diagnostics: [Diagnostic], _ text: String, _ comment: Comment
  ) throws {
    var text = text
    var diagnostics = diagnostics
    for _ in 0..<20 {
      let fixed = FixApplication.apply(diagnostics, to: text)
      guard fixed.count > 0 else { return }
      text = fixed.text
      diagnostics = PipelineDocument.load(text: text, file: "fixed.yaml").diagnostics
    }
    Issue.record("fixes never end: \(comment)\n\(text)")
  }

  @Test(arguments: ["a: [x", "a: 'x", "a: {b: [", "a:\n  - \"x", "a: [*b, ", "é: [é"])
  func `an error at the end of a file without a line end lies in its last line`(_ text: String) {
    let diagnostics = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    #expect(!diagnostics.isEmpty)
    #expect(Self.problems(of: diagnostics, in: text) == [])
  }

  @Test func `an expression that is quoted already is not quoted again`() throws {
    let text = "pipeline: a\nsteps:\n  - { if: \"${{ :\n  - { if: 'x' }\n"
    let diagnostics = PipelineDocument.load(text: text, file: "a.yaml").diagnostics
    #expect(diagnostics.allSatisfy { $0.fix?.isSafe != true })
    #expect(!diagnostics.isEmpty)
  }

  @Test(arguments: [
    String(repeating: "[", count: 60_000), String(repeating: "{a: ", count: 15_000),
    String(repeating: "- ", count: 30_000),
    "a: &a [x]\nb: [" + String(repeating: "*a, ", count: 15_000),
    "pipeline: " + String(repeating: "x", count: 60_000),
    "pipeline: a\nsteps:\n" + String(repeating: "  - id: a\n", count: 6000),
    "pipeline: \"" + String(repeating: "${{ ", count: 15_000) + "\"",
    "pipeline: a\ndescription: \"${{ " + String(repeating: "(", count: 60_000) + " }}\"",
    "pipeline: a\nsteps: [{ id: a, if: \"${{ " + String(repeating: "!", count: 50_000)
      + "true }}\" }]",
    "pipeline: a\nsteps: [{ id: a, if: \"${{ " + String(repeating: "1 + ", count: 15_000)
      + "1 }}\" }]",
    String(repeating: "# pipeline: ignore[unused-input] x\n", count: 1800),
    String(repeating: "a: 1\n", count: 12_000), String(repeating: "\u{1}", count: 60_000),
    "a: " + String(repeating: "\t", count: 60_000), String(repeating: "\r", count: 60_000),
  ])
  func `a large odd file takes no longer than a second`(_ text: String) {
    let began = ContinuousClock().now
    let result = PipelineDocument.load(text: text, file: "odd.yaml")
    let taken = ContinuousClock().now - began
    #expect(result.pipeline == nil)
    #expect(Self.problems(of: result.diagnostics, in: text) == [])
    if TestFiles.isThorough { #expect(taken < .seconds(1), "\(text.prefix(60))") }
  }
}

/// Damages texts as editors, merges and mishaps do, by a seed.
struct TextDamage {
  private var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  private static let pieces = [
    "${{", "}}", "${{ ", "$${{", "\"", "'", "{", "}", "[", "]", ": ", "- ", "? ", "\n", "\r\n",
    "\r",
    "  ", "\t", "&a ", "*a", "<<: *a\n", "#", "|\n", ">-\n", "!!int ", "!x ", "---\n", "...\n",
    "%YAML",
    "null", "~", "5", "1e3", "0777", "é🙂", "\u{FEFF}", "\u{0}", "\u{7F}", "\u{85}", "\u{2028}",
    "\\",
    "steps.", "inputs.", "file", "response.json", "# pipeline: ignore[unused-input] x",
    "use: a.yaml\n",
  ]

  /// One to five kinds of damage, one after the other; the result stays under 64 KiB.
  mutating func apply(to bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<number(1...5) {
      let start = number(0...bytes.count)
      let end = min(bytes.count, start + number(0...30))
      switch number(0...8) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.removeSubrange(start...)
      case 2:
        bytes.insert(contentsOf: Self.pieces[number(0...(Self.pieces.count - 1))].utf8, at: start)
      case 3: bytes.insert(contentsOf: bytes[start..<min(bytes.count, start + 400)], at: start)
      case 4: swapLines(&bytes)
      case 5:
        let piece = Self.pieces[number(0...(Self.pieces.count - 1))]
        let many = String(repeating: piece, count: number(2...300))
        bytes.insert(contentsOf: many.utf8, at: start)
      case 6: bytes.insert(UInt8(number(0...255)), at: start)
      case 7: indent(&bytes)
      default:
        let from = number(0...bytes.count)
        bytes.replaceSubrange(start..<end, with: Array(bytes[from..<min(bytes.count, from + 60)]))
      }
    }
    return Array(bytes.prefix(65_536))
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func swapLines(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return }
    lines.swapAt(number(0...(lines.count - 1)), number(0...(lines.count - 1)))
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }

  private mutating func indent(_ bytes: inout [UInt8]) {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(Array.init)
    guard !lines.isEmpty else { return }
    let index = number(0...(lines.count - 1))
    if number(0...1) == 0 {
      lines[index].insert(contentsOf: "  ".utf8, at: 0)
    } else {
      lines[index].removeFirst(min(2, lines[index].count))
    }
    bytes = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
  }
}
