import CEL
import MachineSupport
import PipelineCore
import Testing

/// Headers from responses, keys in every place, XML and concatenation.
struct RequestPartsTests {
  private let place = SourceLocation(file: "small.yaml", line: 1, column: 1)
  private let builder = PipelineBuilder()

  private func render(
    _ template: RequestTemplate, _ key: IdempotencyKey? = nil
  ) throws -> RenderedRequest {
    try Evaluator(PipelineBuilder().pipeline()).render(
      template, VerdictTests.scope(), at: place, idempotency: key)
  }

  private func headers(
    _ fields: [(String, String)], maps: [(String, Int)] = [], bearer: String? = nil
  ) throws -> RenderedRequest {
    try render(
      RequestTemplate(
        url: builder.template("http://h"),
        headers: fields.map { .init(name: $0.0, value: builder.template($0.1)) },
        headerMaps: maps.map { HeaderMap(builder.expression($0.0), position: $0.1) },
        authorization: bearer.map { .bearer(builder.template($0)) }))
  }

  private func lines(_ request: RenderedRequest) -> [String] {
    request.headers.map { "\($0.name): \($0.value)" }
  }

  private func problem(_ map: String) -> String {
    do throws(EvaluationFailure) {
      _ = try Evaluator(PipelineBuilder().pipeline()).render(
        RequestTemplate(
          url: builder.template("http://h"),
          headerMaps: [HeaderMap(builder.expression(map), position: 0)]),
        VerdictTests.scope(), at: place)
      return "none"
    } catch {
      return error.message
    }
  }

  // MARK: Headers

  @Test(arguments: [
    (
      "{'Host': 'evil'}",
      "'Host', which belongs to the transport; to leave it out, add 'Host: null' after it"
    ),
    ("{'content-length': 5}", "'content-length', which belongs to the transport"),
    ("{'Transfer-Encoding': 'chunked'}", "'Transfer-Encoding', which belongs to the transport"),
    ("{'Connection': 'close'}", "'Connection', which belongs to the transport"),
    ("{'A\\r\\nB': 'x'}", "is not a name of a header"), ("{'': 'x'}", "is not a name of a header"),
    ("{'A:': 'x'}", "is not a name of a header"),
    ("{'A': 'x\\r\\nHost: evil'}", "the value of header 'A' contains a control character"),
    ("{'A': 'x\\u0000'}", "the value of header 'A' contains a control character"),
    ("{'A': {'b': 1}}", "the value of the header 'A' is neither text nor a number"),
    ("{'A': []}", "the value of the header 'A' is neither text nor a number"),
    ("{1: 'x'}", "the name of a header is a string"),
    ("['A']", "expected headers as a map by name"),
  ])
  func `a response cannot control the request by its headers`(_ map: String, _ expected: String) {
    #expect(problem(map).contains(expected), "\(problem(map))")
  }

  @Test func `of a repeated name the later value is sent, regardless of letter case`() throws {
    let request = try headers(
      [("Accept", "a"), ("X-Last", "own")],
      maps: [
        ("{'ACCEPT': 'b', 'Content-MD5': 'm', 'x-last': 'theirs', 'N': 1, 'L': ['a', 'b']}", 1)
      ])
    #expect(
      lines(request) == ["ACCEPT: b", "Content-MD5: m", "X-Last: own", "N: 1", "L: a, b"])
    #expect(try lines(headers([("A", "1")], maps: [("{'a': '2'}", 0)])) == ["A: 1"])
    #expect(try lines(headers([], maps: [("{'a': '1'}", 0), ("{'a': '2'}", 0)])) == ["a: 2"])
  }

  @Test func `null leaves a header out, also one that a response asks for`() throws {
    let request = try headers(
      [("Host", "${{ null }}"), ("Absent", "${{ {}.?a }}"), ("There", "${{ {'a': 'x'}.?a }}")],
      maps: [("{'host': 'h', 'A': null}", 0), ("null", 0)])
    #expect(lines(request) == ["There: x"])
    #expect(request.omittedHeaders == ["host", "a", "absent"])
  }

  @Test func `a content type that is left out is not added again`() throws {
    let body = RequestTemplate.Body.text(builder.template("x"))
    let field = RequestTemplate.Field(name: "Content-Type", value: builder.template("${{ null }}"))
    let request = try render(
      RequestTemplate(url: builder.template("http://h"), headers: [field], body: body))
    #expect(request.headers.isEmpty)
    let usual = try render(RequestTemplate(url: builder.template("http://h"), body: body))
    #expect(lines(usual) == ["Content-Type: text/plain; charset=utf-8"])
  }

  @Test func `a request that a response asks for is never sent to another host`() throws {
    let request = try headers([("Mine", "1")], maps: [("{'X-Signed': 's'}", 1)])
    #expect(request.secretHeaders == ["x-signed"])
  }

  @Test func `an empty bearer does not add a header`() throws {
    #expect(try lines(headers([], bearer: "")).isEmpty)
    #expect(try lines(headers([], bearer: "${{ '' }}")).isEmpty)
    #expect(try lines(headers([], bearer: "t")) == ["Authorization: Bearer t"])
    #expect(
      try lines(headers([], maps: [("{'authorization': 'theirs'}", 0)], bearer: "t"))
        == ["Authorization: Bearer t"])
  }

  // MARK: Keys

  @Test func `a key is sent in a header, a query item or a field`() throws {
    func sent(_ place: IdempotencyKeyPlace<String>, _ body: RequestTemplate.Body? = nil) throws
      -> RenderedRequest
    {
      try render(
        RequestTemplate(url: builder.template("http://h/a?b=c"), body: body),
        IdempotencyKey("k 1", in: place))
    }
    #expect(try lines(sent(.header("X-Key"))) == ["X-Key: k 1"])
    #expect(try sent(.header("X-Key")).keyHeader == "x-key")
    #expect(try sent(.query("id")).url == "http://h/a?b=c&id=k%201")
    let json = RequestTemplate.Body.json(
      .object([.init(key: "n", value: .literal(1))]))
    #expect(
      try String(decoding: sent(.field("id"), json).body, as: UTF8.self) == #"{"n":1,"id":"k 1"}"#)
    let form = RequestTemplate.Body.form([.init(name: "n", value: builder.template("1"))])
    #expect(try String(decoding: sent(.field("id"), form).body, as: UTF8.self) == "n=1&id=k%201")
    #expect(try sent(.request).key == "k 1")
    #expect(throws: EvaluationFailure.self) {
      try sent(.field("id"), .json(.literal(.list([]))))
    }
  }

  // MARK: XML

  private func xml(_ text: String) throws -> String {
    let request = try render(
      RequestTemplate(url: builder.template("http://h"), body: .xml(builder.template(text))))
    #expect(lines(request) == ["Content-Type: application/xml"])
    return String(decoding: request.body, as: UTF8.self)
  }

  @Test func `a list of parts is one expression`() throws {
    let text = try xml(
      """
      <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        ${{ {"Part": [{"n": 1, "e": "\\"a\\""}, {"n": 2, "e": "b"}].map(p, {"PartNumber": p.n, "ETag": p.e})} }}
      </CompleteMultipartUpload>
      """)
    #expect(
      text == """
        <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
          <Part><PartNumber>1</PartNumber><ETag>&quot;a&quot;</ETag></Part><Part><PartNumber>2</PartNumber><ETag>b</ETag></Part>
        </CompleteMultipartUpload>
        """)
  }

  @Test func `values are escaped in text and in attributes`() throws {
    #expect(
      try xml("<Tag k=\"${{ 'a\"<' }}\">${{ '</Tag><Evil/>' }}${{ 1 }}${{ null }}</Tag>")
        == "<Tag k=\"a&quot;&lt;\">&lt;/Tag&gt;&lt;Evil/&gt;1</Tag>")
  }

  @Test(arguments: [
    "<a>${{ [1] }}</a>", "<a>${{ {'b c': 1} }}</a>", "<a b='${{ {'c': 1} }}'/>", "<${{ '1' }}/>",
    "${{ 'text' }}", "<a>${{ 1 }}</b>",
  ])
  func `a body that would not be XML is a failure`(_ text: String) {
    #expect(throws: EvaluationFailure.self) { try xml(text) }
  }

  // MARK: Files

  @Test func `texts and files are written in order`() throws {
    var builder = PipelineBuilder()
    builder.input("file", .file)
    let file = FileValue(path: "/one.bin", name: "one.bin", size: 100, modified: 0)
    let state = RunState(
      id: RunID("r"), pipeline: builder.pipeline(), inputs: ["file": file.value], seed: 1,
      began: Instant(milliseconds: 0))
    let scope = Scope(state, item: nil, now: Instant(milliseconds: 0))
    func plan(_ offset: Int, _ length: Int) throws -> MaterializationPlan {
      let one = builder.expression("inputs.file")
      let range = MaterializeTemplate.ByteRange(
        offset: builder.expression("\(offset)"), length: builder.expression("\(length)"))
      return try Evaluator(builder.pipeline()).plan(
        MaterializeTemplate(
          source: .concat([
            .text(builder.template("head ${{ 1 }}\n")), .file(one, range: range),
            .file(one, range: nil),
          ])), scope, id: EffectID(run: RunID("r"), item: nil, step: 0, generation: 1, attempt: 1))
    }
    #expect(throws: EvaluationFailure.self) { try plan(90, 11) }
    let found = try plan(90, 10)
    #expect(found.size == 7 + 10 + 100)
    #expect(found.pieces.map(\.size) == [7, 10, 100])
    guard case .file(_, offset: 90, length: 10) = found.pieces[1] else {
      Issue.record("\(found.pieces)")
      return
    }
  }

  @Test func `a part of a form has its own headers`() throws {
    let evaluator = Evaluator(PipelineBuilder().pipeline())
    func text(_ value: String) throws -> String {
      let part = MaterializeTemplate.Part(
        name: "n", content: .text(builder.template("t")), contentType: "text/plain",
        headers: [
          .init(name: "Content-ID", value: builder.template(value)),
          .init(name: "X-None", value: builder.template("${{ null }}")),
        ])
      let plan = try evaluator.plan(
        MaterializeTemplate(source: .multipart([part])), VerdictTests.scope(),
        id: EffectID(run: RunID("r"), item: nil, step: 0, generation: 1, attempt: 1))
      guard case .bytes(let bytes)? = plan.pieces.first else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
    #expect(throws: EvaluationFailure.self) { try text("${{ 'a\\r\\nX: y' }}") }
    #expect(
      try text("<${{ 1 }}>").contains(
        "name=\"n\"\r\nContent-Type: text/plain\r\nContent-ID: <1>\r\n\r\nt\r\n"))
  }
}
