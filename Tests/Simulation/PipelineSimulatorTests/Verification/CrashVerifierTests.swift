import PipelineCore
import PipelineDocument
import PipelineSimulator
import TestSupport
import Testing

struct CrashVerifierTests {
  static let unsafe = """
    pipeline: unsafe
    inputs: { files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: allocate
            request: { method: POST, url: "http://s/uploads" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: "${{ response.json.id }}" }
          - id: upload
            upload: { url: "http://s/uploads/${{ steps.allocate.id }}", file: "${{ file }}" }
            success_if: "${{ response.status == 201 }}"
          - id: finalize
            request: { method: POST, url: "http://s/uploads/${{ steps.allocate.id }}/finalize" }
            depends_on: [upload]
            # pipeline: ignore[unsafe-create] to see the outcome
            effect: create
    """

  /// The findings of a verification: `make test` tries some faults, spread over the run,
  /// and `make explore` all that are asked for.
  ///
  /// - Parameter isWhole: Whether all of them are tried in any case.
  static func verify(
    _ pipeline: SimulatedPipeline, file: String = "test.yaml", pairs: Int, isWhole: Bool = false
  ) throws(ExampleMissing) -> CrashSafety {
    let isWhole = isWhole || TestSupport.TestFiles.isThorough
    var verifier = try CrashVerifier(
      pipeline, file: file, pairLimit: isWhole ? pairs : min(pairs, 8))
    if !isWhole { verifier.stride = 3 }
    return verifier.result()
  }

  /// - Parameter isWhole: Whether all the pairs are tried in any case.
  static func verify(
    _ text: String, pairs: Int = 200, isWhole: Bool = false
  ) throws -> CrashSafety {
    let result = PipelineDocument.load(text: text, file: "test.yaml")
    let pipeline = try #require(result.simulated, "\(result.diagnostics)")
    return try verify(pipeline, pairs: pairs, isWhole: isWhole)
  }

  @Test func `a creating step without key or probe gets its counter-example: two finalizes`() throws
  {
    let safety = try Self.verify(Self.unsafe)
    #expect(!safety.isCertified)
    let example = try #require(safety.counterexamples.first)
    #expect(example.kind == .doubleEffect)
    #expect(example.step == StepID("finalize"))
    #expect(example.disturbances.count == 1)
    #expect(example.timeline.count <= 15)
    let effects = example.timeline.filter { $0.contains("[takes effect") }
    #expect(effects.count == 2, "\(example.timeline.joined(separator: "\n"))")
    #expect(safety.steps.last?.isSafe == false)
  }

  /// A bug of an engine, in what it makes of an outcome; the swarm has the same ones.
  enum Plant: CaseIterable {
    /// A request that got no answer counts as one that did nothing.
    case lostMeansNotDone
    /// What a request was made from is replaced while its outcome is unknown.
    case unresolvedReplaced
    /// An error response to a creating request is taken at its word.
    case answerTakenAtItsWord

    func planted(_ event: Event, _ machine: Machine) -> Event {
      guard case .concluded(let id, let verdict) = event else { return event }
      switch (self, verdict) {
      case (.lostMeansNotDone, .unknown(let failure)): return .concluded(id, .retry(failure))
      case (.answerTakenAtItsWord, .uncertain(let answered)): return .concluded(id, answered)
      case (.unresolvedReplaced, .unknown(let failure)):
        let steps = machine.pipeline.steps
        let use = id.step.flatMap { step in steps[step].uses.first { steps[$0.step].loop != nil } }
        return use.map { .concluded(id, .expired(step: $0.step, failure)) } ?? event
      default: return event
      }
    }
  }

  @Test func `each planted bug of the engine is found`() throws {
    let steps =
      CertificateTests.allocate + CertificateTests.upload
      + CertificateTests.publish(CertificateTests.probe(CertificateTests.isComplete))
    let text = CertificateTests.Example(name: "a probe", steps: steps).text
    let pipeline = try #require(PipelineDocument.load(text: text, file: "test.yaml").simulated)
    var verifier = try CrashVerifier(pipeline, file: "test.yaml", pairLimit: 0)
    #expect(verifier.result().counterexamples.isEmpty)
    for plant in Plant.allCases {
      verifier.plant = { plant.planted($0, $1) }
      let found = verifier.result().counterexamples
      #expect(
        found.contains { $0.kind == .doubleEffect && $0.step == StepID("publish") },
        "\(plant): \(found.map(\.kind))")
    }
  }

  @Test(arguments: ["photos", "documents", "one-by-one"])
  func `a shipped pipeline is certified`(name: String) throws {
    let text = try TestFiles.text("Pipelines/\(name).yaml")
    let safety = try Self.verify(text, pairs: 60)
    #expect(safety.counterexamples.isEmpty)
    #expect((safety.effort.untried == 0) == TestSupport.TestFiles.isThorough)
    #expect(safety.verdict == .incomplete, "60 pairs are not all")
    #expect(safety.steps.allSatisfy { $0.grade == .shown || $0.grade == .assumed })
    #expect(safety.effort.crashPoints > 5)
    #expect(safety.steps.allSatisfy { $0.leaks.isEmpty }, "\(safety.steps)")
  }

  @Test func `each step shows why its repeat is safe`() throws {
    let safety = try Self.verify(try TestFiles.text("Pipelines/photos.yaml"), pairs: 0)
    let words = safety.steps.map { "\($0.id): \($0.reason.word)" }
    #expect(
      words == [
        "sign_in: author", "allocate: key", "digest: local", "body: local", "upload: author",
        "finalize: probe", "photo.on_abandon.1: idempotent-method",
      ])
    let finalize = try #require(safety.steps.first { $0.id == StepID("finalize") })
    #expect(finalize.attempts > 1)
    #expect(finalize.effects == 1)
  }

  @Test func `a created result that is never removed is a leak, unless there is on_abandon`()
    throws
  {
    let text = """
      pipeline: leaky
      inputs: { files: { type: files } }
      steps:
        - id: secret
          request: { url: "http://s/secret" }
          outputs: { session: { value: "${{ response.json.session }}", secret: true } }
        - for_each: file
          in: ${{ inputs.files }}
          steps:
            - id: allocate
              request: { method: POST, url: "http://s/${{ steps.secret.session }}/uploads" }
              effect: create
              idempotency: { header: Idempotency-Key }
              outputs: { id: "${{ response.json.id }}" }
            - id: upload
              upload: { url: "http://s/uploads/${{ steps.allocate.id }}", file: "${{ file }}" }
              success_if: "${{ response.status == 201 }}"

      """
    let safety = try Self.verify(text, pairs: 0)
    // The session is secret: after the process has ended another one is created,
    // and with it another upload.
    let allocate = try #require(safety.steps.first { $0.id == StepID("allocate") })
    #expect(allocate.leaks.contains { $0.hasPrefix("a result that nothing uses") })
    #expect(
      safety.counterexamples.isEmpty && safety.steps.allSatisfy { $0.grade == .shown },
      "\(CrashSafetyReport([safety]).text())")
  }

  @Test func `with fewer pairs there is no certificate, and the head line counts them`() throws {
    let text = """
      pipeline: p
      steps: [{ id: put, request: { method: PUT, url: "http://s" }, success_if: "${{ response.status == 201 }}" }]
      """
    let whole = try Self.verify(text, pairs: 2000, isWhole: true)
    #expect(whole.verdict == .certified && whole.effort.pairs == whole.effort.allPairs)
    #expect(!CrashSafetyReport([whole]).text().contains("pairs tried"))
    for pairs in [0, 1] {
      let cut = try Self.verify(text, pairs: pairs, isWhole: true)
      #expect(cut.verdict == .incomplete && cut.effort.pairs == pairs)
      let head = CrashSafetyReport([cut]).text().prefix { $0 != "\n" }
      #expect(head.hasPrefix("test.yaml: not certified; 1 step proven safe; "), "\(head)")
      #expect(head.hasSuffix("; \(pairs) of \(whole.effort.allPairs) pairs tried"), "\(head)")
    }
  }

  @Test func `a failure without disturbances is not a counterexample`() throws {
    let text = """
      pipeline: p
      steps: [{ id: a, request: { url: "http://s", example: { status: 400 } } }]
      """
    let safety = try Self.verify(text, pairs: 2000, isWhole: true)
    #expect(safety.isCertified, "\(CrashSafetyReport([safety]).text())")
  }

  /// A charge that a keyed POST refunds, in each life of the item that ends before it is shipped.
  private static func refund(_ header: String) -> String {
    """
    pipeline: p
    inputs: { files: { type: files } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: charge
            request: { method: POST, url: "http://s/charges" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: "${{ response.json.id }}" }
          - id: ship
            depends_on: [charge]
            request: { method: PUT, url: "http://s/orders/${{ item.key }}" }
            success_if: "${{ response.status == 201 }}"
        on_abandon:
          - request: { method: POST, url: "http://s/refunds/${{ steps.charge.id }}", headers: { \(header) } }
    """
  }

  @Test(
    arguments: [
      ("Idempotency-Key: \"refund-${{ steps.charge.id }}\"", nil),
      ("X-Idempotency-Key: \"refund-${{ steps.charge.id }}\"", nil),
      (
        "Idempotency-Key: \"refund-${{ item.key }}\"",
        "nothing is undone; let the key read a result of 'charge'"
      ),
      ("Note: \"refund-${{ steps.charge.id }}\"", "it is sent without 'Idempotency-Key'"),
    ] as [(String, String?)])
  func
    `a compensating POST is safe if its key is that of the effect, and otherwise the reason is shown`(
      header: String, finding: String?
    ) throws
  {
    let safety = try Self.verify(Self.refund(header), pairs: 2000, isWhole: finding != nil)
    let isWhole = TestSupport.TestFiles.isThorough
    #expect(safety.verdict == (finding != nil ? .unsafe : isWhole ? .certified : .incomplete))
    let text = CrashSafetyReport([safety]).text()
    #expect(safety.counterexamples.count == (finding == nil ? 0 : 1), "\(text)")
    if let finding { #expect(text.contains(finding), "\(text)") }
    let row = try #require(safety.steps.last)
    #expect(row.id == StepID("file.on_abandon.1") && row.attempts > 1, "\(text)")
    let isRepeated = finding == "it is sent without 'Idempotency-Key'"
    #expect(row.effects == (isRepeated ? 2 : 1) && row.isSafe == !isRepeated, "\(text)")
  }

  @Test func `numbers have their endings`() {
    let words = [1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111].map(TraceText.ordinal)
    #expect(
      words == [
        "the first", "the second", "the 3rd", "the 4th", "the 11th", "the 12th", "the 13th",
        "the 21st",
        "the 22nd", "the 23rd", "the 101st", "the 111th",
      ])
  }
}
