import Foundation
import PipelineCore
import PipelineDocument
import PipelineScenarios
import PipelineSimulator
import TestSupport
import Testing

/// The law of simulations that an item is done only when the server has each byte of its file.
struct WholeFilesTests {
  private static let folders = [
    "Pipelines", "Pipelines/catalogue", "Pipelines/stories",
    "Sources/Document/PipelineAuthoring/Templates",
  ]

  private static let files: [String] = {
    folders.flatMap { folder in
      let path = TestFiles.root.appending(path: folder).path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.filter { $0.hasSuffix(".yaml") && !$0.contains(".test.") }.sorted()
        .map { "\(folder)/\($0)" }
        .filter { (try? TestFiles.text($0))?.contains(/(?m)^pipeline:/) == true }
    }
  }()

  private static func name(of file: String) -> String {
    String(file.split(separator: "/").last?.dropLast(5) ?? "")
  }

  /// Files of 300 MB, which each protocol with pieces sends in several.
  private static func film(_ count: Int = 2) -> Scenario {
    var scenario = Scenario.ideal
    scenario.profile = .ios17
    scenario.length = .seconds(30 * 86400)
    scenario.items = ScenarioItems(count: count, size: .constant(300_000_000))
    return scenario
  }

  @Test(arguments: folders) func `each folder has files`(folder: String) {
    #expect(Self.files.contains { $0.hasPrefix(folder + "/") })
  }

  /// Those whose items are not all files that are uploaded: one downloads them, one sends a manifest too, and one has two loops.
  private static let others: Set<String> = ["mirror", "oci-image", "finalized"]

  /// The servers of these are found by long searches, so only `make explore` tries them.
  private static let slow: Set<String> = ["box", "onedrive"]

  @Test(
    arguments: TestSupport.TestFiles.isThorough
      ? files : files.filter { !slow.contains(name(of: $0)) })
  func `at least as many bytes are sent as the items that are done contain`(file: String) throws {
    let folder = file.split(separator: "/").dropLast().joined(separator: "/")
    let text = try TestFiles.text(file)
    let pipeline = try #require(
      PipelineDocument.load(
        bytes: text.utf8, file: file,
        files: DocumentFiles { (try? TestFiles.text("\(folder)/\($0)")).map { Array($0.utf8) } },
        copiesRanges: true
      ).simulated)
    let result = try Simulation(pipeline, Self.film()).run(seed: 1)
    #expect(result.properties.isEmpty, "\(result.properties)")
    let done = result.summary.counts[.done] ?? 0
    guard !Self.others.contains(Self.name(of: file)) else { return }
    let whole = result.summary.bytesSent - result.summary.bytesWasted
    #expect(whole >= Int64(done) * 300_000_000, "\(done) are done after \(whole) bytes")
  }

  private static func load(_ text: String) throws -> SimulatedPipeline {
    let result = PipelineDocument.load(bytes: text.utf8, file: "test.yaml", copiesRanges: true)
    return try #require(result.simulated, "\(result.diagnostics)")
  }

  /// A protocol that responds with 308 until the last byte, and then describes the object;
  /// `example` is the response to all pieces instead.
  private static func resumable(_ example: String = "") -> String {
    #"""
    pipeline: film
    inputs: { server: { type: url, default: "https://api.test" }, files: { type: files, default: "*" } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: sent
            repeat:
              from: { offset: 0, is_whole: false }
              until: ${{ steps.sent.is_whole }}
              resync:
                request: { method: PUT, url: "${{ inputs.server + '/' + urlEscape(file.relative) }}", headers: { Content-Range: "bytes */${{ file.size }}" } }
                next: &answer
                  offset: '${{ int(capture(header(response.headers, "range").orValue(""), "-([0-9]+)$").orValue("-1")) + 1 }}'
                  is_whole: ${{ response.status != 308 && response.json.name == file.name }}
              steps:
                - id: send
                  upload:
                    method: PUT
                    url: ${{ inputs.server + '/' + urlEscape(file.relative) }}
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ math.least(32 * MB, file.size - steps.sent.offset) }}" }
    \#(example)
                  on:
                    - { if: "${{ response.status == 308 }}", then: success }
                    - { if: "${{ response.status == 409 }}", then: resync }
                  outputs: *answer
              next: { offset: "${{ steps.send.offset }}", is_whole: "${{ steps.send.is_whole }}" }
            on:
              - { if: "${{ response.status in [200, 308] }}", then: success }
    """#
  }

  @Test func `the derived server reports that more is to come until the last byte`() throws {
    let result = try Simulation(try Self.load(Self.resumable()), Self.film()).run(
      seed: 1, isTraced: true)
    #expect(result.properties.isEmpty)
    #expect(result.summary.counts[.done] == 2)
    #expect(result.summary.bytesSent == 600_000_000)
    let responses = result.trace.events.compactMap { event in
      if case .answered(_, let response) = event.fact { response.status } else { nil }
    }
    // Ten pieces of each film, of which only the last makes an object.
    #expect(responses.count { $0 == 308 } == 18 && responses.count { $0 == 200 } == 2)
  }

  /// A server that reports a film as complete after its first piece.
  private static let hasty =
    "                example: { json: { name: '${{ file.name }}' } }"

  @Test func `a film that is done after its first piece violates the law`() throws {
    let simulation = try Simulation(try Self.load(Self.resumable(Self.hasty)), Self.film(5))
    let result = simulation.run(seed: 1)
    let found = try #require(result.properties.first)
    #expect(found.name == PropertyResult.wholeFiles && !found.holds)
    #expect(found.explanation?.contains("only 32000000 of the 300000000 bytes") == true)
    let example = try #require(simulation.counterexample(to: found.name, seed: 1))
    #expect(example.scenario.items.count == 1)
    #expect(example.timeline.last?.contains("'whole-files' is violated") == true)
  }

  /// One request with a part of the file is as wrong as one piece of several.
  private static let heads = [
    """
            - id: send
              upload:
                url: "${{ inputs.server }}/heads"
                method: POST
                file: ${{ file }}
                range: { offset: "${{ 0 }}", length: "${{ math.least(32 * MB, file.size) }}" }
              effect: repeatable
    """,
    """
            - id: head
              materialize:
                multipart: [{ name: head, file: "${{ file }}", range: { offset: "${{ 0 }}", length: "${{ math.least(32 * MB, file.size) }}" } }]
            - id: send
              upload: { url: "${{ inputs.server }}/heads", method: POST, file: "${{ steps.head.file }}" }
              effect: repeatable
    """,
  ].map { steps in
    """
    pipeline: head
    inputs: { server: { type: url, default: "https://api.test" }, files: { type: files, default: "*" } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
    \(steps)
    """
  }

  @Test(arguments: heads)
  func `an item whose only request has a part of its file violates the law`(text: String) throws {
    let result = try Simulation(try Self.load(text), Self.film()).run(seed: 1)
    #expect(result.properties.map(\.name) == [PropertyResult.wholeFiles])
  }

  /// The part is larger than the files that `verify` uses otherwise.
  @Test(arguments: heads)
  func `verify finds an item whose only request has a part of its file`(text: String) throws {
    let safety = try CrashVerifier(try Self.load(text), file: "test.yaml", pairLimit: 0).result()
    #expect(
      safety.counterexamples.contains {
        $0.kind == .lostItem && $0.message.contains("bytes of its file")
      }, "\(safety.counterexamples)")
  }

  @Test func `verify finds a film that is done after its first piece`() throws {
    let hasty = PipelineDocument.load(text: Self.resumable(Self.hasty), file: "test.yaml")
    let safety = try CrashVerifier(try #require(hasty.simulated), file: "test.yaml", pairLimit: 0)
      .result()
    #expect(
      safety.counterexamples.contains {
        $0.kind == .lostItem && $0.message.contains("bytes of its file")
      }, "\(safety.counterexamples)")
    let honest = PipelineDocument.load(text: Self.resumable(), file: "test.yaml")
    let whole = try CrashVerifier(try #require(honest.simulated), file: "test.yaml", pairLimit: 4)
      .result()
    #expect(whole.counterexamples.isEmpty, "\(whole.counterexamples)")
  }
}
