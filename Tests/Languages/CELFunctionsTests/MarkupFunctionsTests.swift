import CEL
import CELFunctions
import Testing

/// XML and structured fields in expressions; the documents are answers of real servers, as their documentation shows them.
struct MarkupFunctionsTests {
  private static let environment: Environment = {
    var environment = Environment.standard
    environment.add(.uploads)
    environment.declare("text", as: .string)
    environment.declare("v", as: .dyn)
    return environment
  }()

  private func evaluate(_ source: String, _ text: String = "", _ v: Value = .null) throws -> Value {
    let compilation = Self.environment.compile(source)
    let compiled = try #require(
      compilation.expression, "\(source): \(compilation.issues.map(\.message))")
    return try compiled.evaluate(["text": .string(text), "v": v])
  }

  @Test(arguments: [
    "xml('')", "xml('{}')", "xml('<a>')", "xml('<a/>', {'p': 1})", "xmlText(1)", "xmlText([])",
    "fields('A')", "fieldList('a b')", "fieldItem('')", "seconds(1e300)",
  ])
  func `anything but a document or a field is an error`(_ source: String) throws {
    let compilation = Self.environment.compile(source)
    guard let compiled = compilation.expression else { return }
    #expect(throws: EvaluationError.self) { try compiled.evaluate(["text": "", "v": .null]) }
  }

  @Test func `an error contains line, column and the found text`() throws {
    do {
      _ = try evaluate("xml(text)", "<a>\n<b></c>")
      Issue.record("it was read")
    } catch let error as EvaluationError {
      #expect(error.message == "string is not XML: 2:4: expected '</b>', found '</c>'")
    }
  }

  /// CreateMultipartUpload, ListParts with one part and with two, and a 200 with an error.
  @Test func `answers of object stores are short expressions`() throws {
    let created = """
      <?xml version="1.0" encoding="UTF-8"?>
      <InitiateMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
        <Bucket>example-bucket</Bucket>
        <Key>example-object</Key>
        <UploadId>VXBsb2FkIElEIGZvciA2aWWpbmcncyBteS1tb3ZpZS5tMnRzIHVwbG9hZA</UploadId>
      </InitiateMultipartUploadResult>
      """
    #expect(
      try evaluate("xml(text).InitiateMultipartUploadResult.UploadId", created)
        == "VXBsb2FkIElEIGZvciA2aWWpbmcncyBteS1tb3ZpZS5tMnRzIHVwbG9hZA")
    let part = "<Part><PartNumber>1</PartNumber><ETag>&quot;e1&quot;</ETag></Part>"
    let list = "elements(xml(text), 'ListPartsResult/Part').map(p, p.ETag)"
    #expect(try evaluate(list, "<ListPartsResult>\(part)</ListPartsResult>") == ["\"e1\""])
    #expect(
      try evaluate(list, "<ListPartsResult>\(part)\(part)</ListPartsResult>")
        == ["\"e1\"", "\"e1\""])
    #expect(try evaluate(list, "<ListPartsResult/>") == [])
    let error = "<Error><Code>InternalError</Code><Message>We encountered…</Message></Error>"
    #expect(try evaluate("has(xml(text).Error)", error) == true)
    #expect(try evaluate("xml(text).Error.Code", error) == "InternalError")
    #expect(try evaluate("has(xml(text).Error)", created) == false)
  }

  @Test func `a list of blocks is a short expression`() throws {
    let text = """
      \u{FEFF}<?xml version="1.0" encoding="utf-8"?>
      <BlockList>
        <CommittedBlocks><Block><Name>BlockId001</Name><Size>4194304</Size></Block></CommittedBlocks>
        <UncommittedBlocks/>
      </BlockList>
      """
    #expect(
      try evaluate(
        "elements(xml(text), 'BlockList/CommittedBlocks/Block').map(b, int(b.Size))", text)
        == [4_194_304])
    #expect(try evaluate("elements(xml(text), 'BlockList/UncommittedBlocks/Block')", text) == [])
  }

  @Test(arguments: ["d:", "D:", "lp1:", ""])
  func `a multistatus is read with any prefix`(_ prefix: String) throws {
    let declaration = prefix.isEmpty ? "xmlns" : "xmlns:\(prefix.dropLast())"
    let text = """
      <?xml version="1.0"?>
      <\(prefix)multistatus \(declaration)="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:b="urn:dt"><\(prefix)response>
      <\(prefix)href>/dav/a%20b.jpg</\(prefix)href><\(prefix)propstat><\(prefix)prop>
      <\(prefix)getcontentlength b:dt="int">12345</\(prefix)getcontentlength><oc:size>7</oc:size></\(prefix)prop>
      <\(prefix)status>HTTP/1.1 200 OK</\(prefix)status></\(prefix)propstat></\(prefix)response></\(prefix)multistatus>
      """
    #expect(
      try evaluate("elements(xml(text), 'multistatus/response').map(r, r.href)", text)
        == ["/dav/a%20b.jpg"])
    #expect(
      try evaluate("int(xml(text).multistatus.response.propstat.prop.getcontentlength)", text)
        == 12345)
    #expect(
      try evaluate(
        "elements(xml(text, {'': 'DAV:', 'oc': 'http://owncloud.org/ns'}), 'multistatus/response/propstat/prop/oc:size')",
        text) == ["7"])
    #expect(
      try evaluate(
        "elements(xml(text, {'': 'DAV:'}), 'multistatus/response/propstat/prop/{http://owncloud.org/ns}size')",
        text)
        == ["7"])
  }

  @Test func `attributes are read by name`() throws {
    let text = """
      <?xml version="1.0" encoding="utf-8" ?>
      <rsp stat="fail"><err code="98" msg="Invalid auth token" /></rsp>
      """
    #expect(try evaluate("xml(text).rsp.err['@code']", text) == "98")
    #expect(try evaluate("xml(text).rsp['@stat'] == 'fail'", text) == true)
    let photo = "<rsp stat='ok'><photoid secret='abc'>1234</photoid></rsp>"
    #expect(try evaluate("xmlText(xml(text).rsp.photoid)", photo) == "1234")
    #expect(try evaluate("xml(text).rsp.photoid['#text']", photo) == "1234")
    #expect(try evaluate("xmlText(xml(text).a)", "<a>t</a>") == "t")
    #expect(try evaluate("xmlText(xml(text).a)", "<a x=''/>") == "")
    let tickets = """
      <uploader><ticket id="128" complete="1" photoid="2995"/><ticket id="129" complete="0"/></uploader>
      """
    #expect(
      try evaluate(
        "elements(xml(text), 'uploader/ticket').filter(t, t['@complete'] == '1').size()", tickets)
        == 1)
  }

  @Test func `reading returns the written values`() throws {
    let value: Value = [
      "a": [
        "@x": "1 < \"2\"\n3", "b": ["1", ["@y": "z", "#text": "t & u"]], "c": ["d": ""], "n": 5,
      ]
    ]
    let text = try value.xmlContent()
    #expect(
      text
        == "<a x=\"1 &lt; &quot;2&quot;\n3\"><b>1</b><b y=\"z\">t &amp; u</b><c><d></d></c><n>5</n></a>"
    )
    #expect(
      try evaluate("xml(text).a.b", text) == ["1", ["@y": "z", "#text": "t & u"]])
  }

  @Test(arguments: [
    Value.list(["a"]), ["a b": "x"], ["a": ["@b c": "x"]], ["<a": "x"],
    ["a": [["b"]]], ["a": .bytes([0xFF])],
  ])
  func `text without a name in XML cannot be written`(_ value: Value) {
    #expect(throws: EvaluationError.self) { try value.xmlContent() }
  }

  @Test func `nothing is written for null, and text is escaped`() throws {
    #expect(try Value.null.xmlContent() == "")
    #expect(try (["a": .null, "b": ["c": .null, "@d": .null]] as Value).xmlContent() == "<b/>")
    #expect(
      try Value.string("</a><script>'&").xmlContent() == "&lt;/a&gt;&lt;script&gt;&apos;&amp;")
    #expect(try Value.int(3).xmlContent() == "3")
  }

  /// Headers of RFC 9651 and of upload protocols.
  @Test func `structured fields are maps, lists and items`() throws {
    #expect(
      try evaluate("fields(text)['max-age']", "max-size=1000000, min-append-size=5, max-age=3600")
        == 3600)
    #expect(try evaluate("fields(text)['sha-256']", "sha-256=:AQI=:") == .bytes([1, 2]))
    #expect(try evaluate("fields('a;q=2, b=(1 2)')['a;q']") == 2)
    #expect(try evaluate("fields('a;q=2, b=(1 2)').b") == [1, 2])
    #expect(try evaluate("fields('a').a") == true)
    #expect(try evaluate("fieldList('a;x=1, b').map(i, i.value)") == ["a", "b"])
    #expect(try evaluate("fieldItem('\"t\";n=@0').parameters.n == timestamp(0)") == true)
  }

  @Test func `seconds may have a fraction`() throws {
    #expect(try evaluate("seconds(v)", "", 3599.5) == .duration(.milliseconds(3_599_500)))
  }
}
