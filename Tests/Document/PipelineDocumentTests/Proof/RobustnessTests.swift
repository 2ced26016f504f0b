import Basics
import PipelineCore
import PipelineAuthoring
import PipelineDocument
import TestSupport
import Testing

/// For any file: the checker ends, and its findings are about the text.
struct RobustnessTests {
  private static let parts: UInt64 = 4

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

  @Test(arguments: 0..<parts)
  func `for any file, diagnostics are within its text`(_ part: UInt64) throws {
    let samples = try Self.samples()
    let fuzz = Fuzz("documents", inputs: 1600, share: 0.35, part: part, of: Self.parts)
    while let seed = try fuzz.next() {
      var damage = TextDamage(seed: seed, pieces: Self.pieces)
      let (name, text) = samples[Int(seed % UInt64(samples.count))]
      let bytes = seed % 9 == 0 ? damage.soup() : damage.apply(to: Array(text.utf8))
      let damaged = String(decoding: bytes, as: UTF8.self)
      fuzz.trying(damaged, seed: seed)
      let result = PipelineDocument.load(bytes: bytes, file: name)
      let diagnostics = result.diagnostics
      #expect(Self.problems(of: diagnostics, in: damaged) == [], "seed \(seed), \(name)")
      #expect((result.pipeline == nil) == diagnostics.contains { $0.severity == .error })
      let report = DiagnosticText(sources: [name: damaged]).render(diagnostics)
      #expect(report.isEmpty == diagnostics.isEmpty)
      #expect(report.visible == report, "seed \(seed), \(name)")
      try Self.fix(diagnostics, damaged, "seed \(seed), \(name)")
    }
  }

  /// Files that are in order, and the examples of the pages on checks.
  private static func samples() throws -> [(name: String, text: String)] {
    let pages = Check.all.flatMap { check in
      [check.wrong, check.right].compactMap { $0 }.map { (check.code.rawValue, $0) }
    }
    return try TestFiles.valid() + PipelineTemplate.all.map { ($0.name, try $0.text()) } + pages
  }

  /// The problems with the places of diagnostics.
  static func problems(of diagnostics: [Diagnostic], in text: String) -> [String] {
    let lines = lengths(text)
    func isInside(_ place: SourcePosition) -> Bool {
      place.line >= 1 && place.line <= lines.count && place.column >= 1
        && place.column <= lines[place.line - 1] + 1
    }
    var problems: [String] = []
    for diagnostic in diagnostics {
      let notes = diagnostic.notes.map(\.range)
      for range in [diagnostic.range] + notes + (diagnostic.fix.map { [$0.range] } ?? []) {
        // A replacement of a whole line ends where the next starts.
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

  /// Fixes are applied until none is left; that ends, and each text on the way can be loaded.
  ///
  /// Of expressions that are not closed, a parser sees one at a time, so that each needs a round.
  private static func fix(
    _ diagnostics: [Diagnostic], _ text: String, _ comment: Comment
  ) throws {
    var text = text
    var diagnostics = diagnostics
    for _ in 0..<(20 + text.ranges(of: "{{").count) {
      let fixed = FixApplication.apply(diagnostics, to: text)
      guard fixed.count > 0 else { return }
      text = fixed.text
      diagnostics = PipelineDocument.load(text: text, file: "fixed.yaml").diagnostics
    }
    Issue.record("fixes never end: \(comment)\n\(text)")
  }

  @Test(arguments: ["a: [x", "a: 'x", "a: {b: [", "a:\n  - \"x", "a: [*b, ", "é: [é"])
  func `an error at the end of a file without a line end is in its last line`(_ text: String) {
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
  func `a large odd file is checked in less than ten seconds of processor time`(_ text: String) {
    var result: PipelineDocument.Result?
    // A check that looks at all pairs of 60,000 characters needs minutes in a debug build.
    let seconds = ProcessorTime.ofThread {
      result = PipelineDocument.load(text: text, file: "odd.yaml")
    }
    #expect(result?.pipeline == nil)
    #expect(Self.problems(of: result?.diagnostics ?? [], in: text) == [])
    #expect(seconds < 10, "\(text.prefix(60))")
  }
}
