import Basics
import CEL
import MachineSupport
import PipelineCore
import Testing

struct RenderingTests {
  private let place = SourceLocation(file: "small.yaml", line: 1, column: 1)

  @Test(arguments: [
    "ftp://h/a", "h/a", "http://h/a b", "http://h/ä", "http://h/\r\nX: y", "http://h/a#1.jpg",
    "http://h/100%.jpg", "http://h/a%2",
  ])
  func `a URL that is not absolute and escaped is refused`(url: String) {
    let builder = PipelineBuilder()
    #expect(throws: EvaluationFailure.self) {
      try render(RequestTemplate(url: builder.template(url)))
    }
  }

  @Test func `a line break in a header is refused`() {
    let builder = PipelineBuilder()
    #expect(throws: EvaluationFailure.self) {
      try render(
        RequestTemplate(
          url: builder.template("http://h"),
          headers: [.init(name: "X", value: builder.template("${{ 'a\\r\\nY: b' }}"))]))
    }
  }

  @Test func `bodies are written in their form`() throws {
    let builder = PipelineBuilder()
    let fields = [
      RequestTemplate.Field(name: "a b", value: builder.template("c&d")),
      .init(name: "n", value: builder.template("${{ 1 + 1 }}")),
    ]
    let form = try render(RequestTemplate(url: builder.template("http://h"), body: .form(fields)))
    #expect(String(decoding: form.body, as: UTF8.self) == "a%20b=c%26d&n=2")
    let json = try render(
      RequestTemplate(
        url: builder.template("http://h"), query: fields,
        body: .json(
          .object([
            .init(key: "n", value: .template(builder.template("${{ 2 }}"))),
            .init(key: "t", value: .template(builder.template("x${{ 2 }}"))),
          ]))))
    #expect(String(decoding: json.body, as: UTF8.self) == "{\"n\":2,\"t\":\"x2\"}")
    #expect(json.url == "http://h?a%20b=c%26d&n=2")
  }

  @Test func `the idempotency key is the same for each attempt and another for each generation`() {
    let evaluator = Evaluator(SmallPipelines.photos())
    func key(
      _ generation: Int, _ attempt: Int, _ ordinal: Int = 0, seed: String? = "5eed"
    ) -> String? {
      let state = RunState(
        id: RunID("r"), pipeline: evaluator.pipeline, inputs: [:], seed: 1,
        began: Instant(milliseconds: 0), keySeed: seed)
      return evaluator.idempotencyKey(
        EffectID(
          run: state.id, item: ItemKey(loop: 0, ordinal: ordinal), step: 1,
          generation: generation, attempt: attempt),
        Scope(state, item: nil, now: Instant(milliseconds: 0)))
    }
    #expect(key(1, 1) == key(1, 7))
    #expect(key(1, 1) != key(2, 1))
    #expect(key(1, 1) != key(1, 1, 1))
    #expect(key(1, 1) == "5eed-0.0-allocate-1")
    #expect(key(1, 1) != key(1, 1, seed: "another run"))
    #expect(key(1, 1, seed: nil) == "r-0.0-allocate-1", "a run that began without a seed")
  }

  @Test func `a part of a multipart body may be a range of its file`() throws {
    var builder = PipelineBuilder()
    builder.input("files", .files)
    builder.loop("photo", concurrency: 1)
    let range = MaterializeTemplate.ByteRange(
      offset: builder.expression("2"), length: builder.expression("4"))
    builder.step(
      "body",
      .materialize(
        MaterializeTemplate(
          source: .multipart([
            .init(
              name: "piece",
              content: .file(builder.expression("photo"), range: range, filename: nil))
          ]))))
    builder.endLoop()
    let pipeline = builder.pipeline()
    let state = ModelWorld.state(of: pipeline, files: 1)
    func plan(size: Int64) throws -> MaterializationPlan {
      let file = FileValue(path: "/a", name: "a.jpg", size: size, modified: 0)
      let item = Item(key: ItemKey(loop: 0, ordinal: 0), subject: .file(file))
      guard case .materialize(let template) = pipeline.steps[0].action else {
        throw CancellationError()
      }
      return try Evaluator(pipeline).plan(
        template, Scope(state, item: item, now: Instant(milliseconds: 0)),
        id: EffectID(run: state.id, item: item.key, step: 0, generation: 1, attempt: 1))
    }
    guard case .file(_, let offset, let length) = try plan(size: 10).pieces[1] else {
      Issue.record("the second piece is not of the file")
      return
    }
    #expect(offset == 2 && length == 4)
    #expect(throws: EvaluationFailure.self) { try plan(size: 5) }
  }

  @Test func `a multipart body has the bytes of the standard`() throws {
    let pipeline = SmallPipelines.photos()
    let state = ModelWorld.state(of: pipeline, files: 1)
    let file = FileValue(
      path: "/a", name: "a\"b\r\n.jpg", size: 7, modified: 0, contentType: "image/jpeg")
    let item = Item(key: ItemKey(loop: 0, ordinal: 0), subject: .file(file))
    guard case .materialize(let template) = pipeline.steps[2].action else { return }
    func plan(_ generation: Int, _ attempt: Int) throws -> MaterializationPlan {
      try Evaluator(pipeline).plan(
        template, Scope(state, item: item, now: Instant(milliseconds: 0)),
        id: EffectID(
          run: state.id, item: item.key, step: 2, generation: generation, attempt: attempt))
    }
    let made = try plan(1, 1)
    #expect(try plan(1, 2) == made)
    #expect(try plan(2, 1) != made)
    #expect(try plan(2, 1).size == made.size)
    let boundary = try #require(made.contentType?.split(separator: "=").last)
    guard case .bytes(let head) = made.pieces[0], case .bytes(let tail) = made.pieces[2] else {
      return
    }
    #expect(made.pieces[1] == .file(file, offset: 0, length: 7))
    #expect(
      String(decoding: head, as: UTF8.self) == """
        --\(boundary)\r
        Content-Disposition: form-data; name="name"\r
        \r
        a"b\r
        .jpg\r
        --\(boundary)\r
        Content-Disposition: form-data; name="file"; filename="a%22b%0D%0A.jpg"\r
        Content-Type: image/jpeg\r
        \r

        """)
    #expect(String(decoding: tail, as: UTF8.self) == "\r\n--\(boundary)--\r\n")
    #expect(made.size == Int64(head.count + tail.count + 7))
  }

  @Test(arguments: [
    ("0", "10", true), ("3", "7", true), ("3", "8", false), ("-1", "2", false),
    ("11", "0", false), ("9223372036854775807", "9223372036854775807", false),
  ])
  func `a range stays inside its file`(offset: String, length: String, isLegal: Bool) throws {
    var builder = PipelineBuilder()
    builder.loop("item")
    let range = MaterializeTemplate.ByteRange(
      offset: builder.expression(offset), length: builder.expression(length))
    let template = MaterializeTemplate(source: .file(builder.expression("item"), range: range))
    builder.step("part", .materialize(template))
    let pipeline = builder.pipeline()
    let item = Item(key: ItemKey(loop: 0, ordinal: 0), subject: ModelWorld.subjects([10])[0])
    let scope = Scope(
      ModelWorld.state(of: pipeline, files: 1), item: item, now: Instant(milliseconds: 0))
    let id = EffectID(run: RunID("r"), item: item.key, step: 0, generation: 1, attempt: 1)
    let plan = try? Evaluator(pipeline).plan(template, scope, id: id)
    #expect((plan != nil) == isLegal)
    if isLegal { #expect(plan?.size == Int64(length)) }
  }

  @Test func `a server's clock is bounded by its responses, and a lifetime ends at the earliest`() {
    func bound(_ date: Int64, _ sent: Int64, _ received: Int64) -> ClockOffset {
      ClockOffset(
        date: Instant(milliseconds: date), sent: Instant(milliseconds: sent),
        received: Instant(milliseconds: received))
    }
    let first = bound(60_000, 1000, 3000)
    #expect(first == ClockOffset(low: 57_000, high: 59_999))
    let both = first.narrowed(by: bound(61_000, 2500, 2600))
    #expect(both == ClockOffset(low: 58_400, high: 59_499))
    #expect(
      both.earliestLocal(ofServer: Instant(milliseconds: 100_000))
        == Instant(milliseconds: 40_501))
    #expect(first.narrowed(by: bound(0, 1000, 1000)) == bound(0, 1000, 1000))
  }

  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
      ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Wed Nov 16 08:49:37 1994", 784_975_777),
      // At most 50 years ahead of 1995: 2045, and not 1945; a year further away is in the past.
      ("Monday, 06-Nov-44 08:49:37 GMT", 2_362_034_977),
      ("Tuesday, 06-Nov-45 08:49:37 GMT", -762_189_023),
      ("Sunday, 6-Nov-94 08:49:37 GMT", nil), ("Sun, 06-Nov-94 08:49:37 GMT", nil),
      ("Sun Nov 6 08:49:37 1994", nil), ("Sun Nov  6 08:49:37 94", nil),
      ("Sun, 29 Feb 1994 08:49:37 GMT", nil), ("Sun, 6 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 08:49:37 CET", nil), ("sun, 06 Nov 1994 08:49:37 GMT", nil),
      ("06 Nov 1994 08:49:37 GMT", nil),
      ("Sun, 06 Nov 1994 24:00:00 GMT", nil), ("Sun, 32 Nov 1994 08:49:37 GMT", nil), ("", nil),
    ] as [(String, Int64?)])
  func `the three forms of an HTTP date are read, and no other`(text: String, seconds: Int64?) {
    // 1 January 1995.
    let now = Instant(milliseconds: 788_918_400_000)
    #expect(HTTPDate.parse(text, at: now) == seconds.map { Instant(milliseconds: $0 * 1000) })
  }

  private func render(_ template: RequestTemplate) throws -> RenderedRequest {
    try Evaluator(PipelineBuilder().pipeline()).render(
      template, VerdictTests.scope(), at: place)
  }
}
