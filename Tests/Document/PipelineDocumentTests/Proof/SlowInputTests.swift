import Basics
import Foundation
import PipelineCore
@testable import PipelineDocument
import TestSupport
import Testing
import YAMLSyntax

/// A search for inputs for which the checker does much work; work is counted, so that fast machines find them, too.
struct SlowInputTests {
  /// Work for each byte that a checker may do for text without repetition.
  private static let perByte = 600

  private static let isLong = ProcessInfo.processInfo.environment["FUZZ_SECONDS"] != nil

  /// The cost of checking an input, and the findings.
  private static func check(
    _ input: SlowInput, size: Int
  ) -> (budget: WorkBudget, codes: [DiagnosticCode], bytes: Int) {
    let files = input.files
    let text = input.text(limit: size)
    // A debug build takes a second for a tenth of the usual budget.
    let budget = SharedBudget(
      isLong
        ? WorkBudget()
        : WorkBudget([.nodes: 5_000, .files: 100, .steps: 100, .work: 200_000, .bytes: 1 << 20]))
    let found = PipelineDocument.validate(
      bytes: text.utf8, file: "slow.yaml",
      files: DocumentFiles { files[$0].map { Array($0.utf8) } },
      budget: budget)
    let bytes = files.values.reduce(text.utf8.count) { $0 + $1.utf8.count }
    return (budget.spent, found.diagnostics.map(\.code), bytes)
  }

  /// The costliest input, for its size, that a search of some rounds comes to; one that exceeds the budget ends it.
  private static func worst(
    _ seed: UInt64, kinds: [SlowInput.Kind], rounds: Int, cost: (SlowInput) -> Int
  ) -> (input: SlowInput, cost: Int) {
    var draws = SplitMix64(seed: seed)
    var best = SlowInput(&draws, kinds: kinds)
    var most = cost(best)
    for _ in 0..<rounds {
      let other = best.mutated(&draws)
      let found = cost(other)
      if found >= most { (best, most) = (other, found) }
    }
    return (best, most)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a document without repetition costs little for each of its bytes`(_ part: UInt64) throws {
    let fuzz = Fuzz("slow inputs", inputs: 20, share: 0.2, part: part, of: 4)
    let kinds = SlowInput.Kind.allCases.filter { !$0.multiplies }
    while let seed = try fuzz.next() {
      let size = Self.isLong ? 100_000 : 2_000
      let (input, cost) = Self.worst(seed, kinds: kinds, rounds: Self.isLong ? 30 : 10) { input in
        fuzz.trying(input.text(limit: size), seed: seed)
        let (budget, _, bytes) = Self.check(input, size: size)
        return budget.exceeded == nil ? budget.used(.work) / bytes : .max
      }
      #expect(cost <= Self.perByte, "seed \(seed): \(input)")
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func `a document that multiplies ends with a finding`(_ part: UInt64) throws {
    let fuzz = Fuzz("multiplied inputs", inputs: 8, share: 0.2, part: part, of: 4)
    let kinds = SlowInput.Kind.allCases.filter(\.multiplies)
    while let seed = try fuzz.next() {
      _ = Self.worst(seed, kinds: kinds, rounds: Self.isLong ? 30 : 8) { input in
        let size = Self.isLong ? 100_000 : 2_000
        fuzz.trying(input.text(limit: size), seed: seed)
        let (budget, codes, _) = Self.check(input, size: size)
        #expect(
          (budget.exceeded != nil) == codes.contains(.tooCostly), "seed \(seed): \(input)")
        return budget.used(.work) + budget.used(.bytes) / 8
      }
    }
  }

  /// The walk that replaced every use of a name from `let`, which doubles with each name that contains another twice.
  private static func planted(_ input: SlowInput) -> Int {
    let document = YAMLDocument.parse(input.text(limit: 2_000))
    let reader = DocumentReader(
      document: document, collector: DiagnosticCollector(file: "slow.yaml"))
    var budget = WorkBudget([.work: 200_000])
    func names(in template: DraftTemplate?) -> [String] {
      (template?.parts ?? []).flatMap { part -> [String] in
        guard case .expression(let expression) = part else { return [] }
        return expression.source.split { !$0.isLetter && !$0.isNumber }.map(String.init)
      }
    }
    func walk(_ names: [String], _ values: [String: [String]]) {
      for name in names {
        guard budget.spend() else { return }
        if let value = values[name] { walk(value, values) }
      }
    }
    for step in document.root.flatMap(reader.pipeline)?.steps ?? [] {
      let pairs = step.values.map { ($0.name.value, names(in: $0.value)) }
      let values = Dictionary(pairs) { first, _ in first }
      for request in step.requests { walk(names(in: request.url), values) }
    }
    return budget.exceeded == nil ? budget.used(.work) / input.text(limit: 2_000).utf8.count : .max
  }

  @Test func `the search finds a walk that grows exponentially`() {
    let found = (0..<12 as Range<UInt64>).filter { seed in
      Self.worst(seed, kinds: [.lets, .chain, .outputs], rounds: 20, cost: Self.planted).cost
        > Self.perByte
    }
    #expect(!found.isEmpty)
  }
}
