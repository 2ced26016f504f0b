import Basics
import Testing

/// XML 1.0 with namespaces, as far as responses of servers need it.
struct XMLReaderTests {
  private func events(_ text: String, limits: XMLLimits = XMLLimits()) throws -> [XMLEvent] {
    var reader = try XMLReader(text.utf8, limits: limits)
    var events: [XMLEvent] = []
    while let event = try reader.next() { events.append(event) }
    return events
  }

  private func problem(_ text: String, limits: XMLLimits = XMLLimits()) -> String {
    do {
      _ = try events(text, limits: limits)
      return "none"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("", "1:1: expected an element, found the end"),
    ("{\"a\": 1}", "1:1: expected an element, found '{' before the root element"),
    ("<a>", "1:4: the element 'a' is never closed"),
    ("<a></b>", "1:4: expected '</a>', found '</b>'"),
    ("<a>\n  <b></a>", "2:6: expected '</b>', found '</a>'"),
    ("</a>", "1:1: '</a>' closes no element"),
    ("<a/><b/>", "1:5: a second root element 'b'"),
    ("<a/>x", "1:5: expected an element, found 'x' after the root element"),
    ("<a b></a>", "1:5: expected '=', found '>'"),
    ("<a b=c/>", "1:6: expected a quoted value, found 'c'"),
    ("<a b='1' b='2'/>", "1:10: the attribute 'b' occurs twice"),
    ("<a b='1'c='2'/>", "1:9: expected '>', found 'c'"),
    ("<a b='<'/>", "1:7: a value cannot contain '<'; write '&lt;'"),
    ("<a b='1/>", "1:6: the value of the attribute is never closed"),
    ("<a>&nbsp;</a>", "1:4: unknown entity '&nbsp;': only amp, lt, gt, quot and apos are known"),
    ("<a>a & b</a>", "1:6: '&' does not start a reference; write '&amp;'"),
    ("<a>&#0;</a>", "1:4: '&#0;' is not a character"),
    ("<a>&#xD800;</a>", "1:4: '&#xD800;' is not a character"),
    ("<a>&#x110000;</a>", "1:4: '&#x110000;' is not a character"),
    ("<a>&#-1;</a>", "1:4: '&#-1;' is not a character"),
    ("<a>]]></a>", "1:4: text cannot contain ']]>'; write ']]&gt;'"),
    ("<a><!-- x</a>", "1:4: the comment is never closed"),
    ("<a><![CDATA[x]]</a>", "1:4: the CDATA section is never closed"),
    ("<1a/>", "1:2: expected an element, found '1a'"),
    ("<a:b:c/>", "1:2: expected an element, found 'a:b:c'"),
    ("<d:a/>", "1:2: the prefix 'd' is not declared"),
    ("<a d:b=''/>", "1:4: the prefix 'd' is not declared"),
    ("<a xmlns:p='n' xmlns:q='n' p:b='' q:b=''/>", "1:35: the attribute 'q:b' occurs twice"),
    ("<a>\u{1}</a>", "1:4: a control character"),
    ("<é>\u{FFFE}</é>", "1:4: U+FFFE is not a character of XML"),
    (
      "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
      "1:1: a document type is not allowed: it could define entities"
    ),
    (
      "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
      "1:1: expected the encoding UTF-8, found 'ISO-8859-1'"
    ),
    ("<?xml version='1.0'", "1:1: the XML declaration is never closed"),
    ("<html><br></html>", "1:11: expected '</br>', found '</html>'"),
  ])
  func `invalid XML is reported with its place`(_ text: String, _ expected: String) {
    #expect(problem(text) == expected)
  }

  @Test func `invalid UTF-8 is reported with its place`() {
    for bytes: [UInt8] in [[0x3C, 0x61, 0x3E, 0xFF], [0x3C, 0x61, 0x3E, 0xED, 0xA0, 0x80]] {
      #expect(throws: XMLSyntaxError.self) { try XMLReader(bytes) }
    }
    do {
      _ = try XMLReader([0xFE, 0xFF, 0x00, 0x3C])
      Issue.record("UTF-16 was read")
    } catch {
      #expect("\(error)" == "1:1: expected UTF-8, found other bytes")
    }
  }

  @Test func `depth, size and attributes are bounded`() {
    let deep = String(repeating: "<a>", count: 101)
    #expect(problem(deep) == "1:301: more than 100 elements are open")
    let wide = (0...200).map { "a\($0)=''" }.joined(separator: " ")
    #expect(problem("<a \(wide)/>").hasSuffix("an element has more than 200 attributes"))
    let small = XMLLimits(size: 10)
    #expect(problem("<a>12345</a>", limits: small) == "1:1: the document has more than 10 bytes")
  }

  @Test func `a hundred thousand elements need no stack and little time`() throws {
    let text = "<a>" + String(repeating: "<b/>", count: 100_000) + "</a>"
    #expect(try events(text).count == 200_002)
  }

  @Test func `an entity is not expanded, however it is defined`() {
    // The billion laughs.
    let text = """
      <?xml version="1.0"?>
      <!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]>
      <lolz>&lol2;</lolz>
      """
    #expect(problem(text).hasPrefix("2:1: a document type is not allowed"))
  }

  @Test func `text, references and sections are one text`() throws {
    let found = try events(
      "\u{FEFF}<?xml version='1.0'?>\r\n<!-- c --><a>1&lt;2\r\n&#x1F600;<![CDATA[<&\r]]></a>\n")
    #expect(
      found == [
        .start(XMLName(local: "a"), []), .text("1<2\n😀"), .text("<&\n"), .end,
      ])
  }

  @Test func `attributes have normalized values`() throws {
    guard case .start(_, let attributes)? = try events("<a x=\"1\n2\t&#10;&quot;\" y='\"'/>").first
    else { throw Missing() }
    #expect(attributes.map(\.value) == ["1 2 \n\"", "\""])
  }

  @Test func `namespaces are those of the nearest declaration`() throws {
    let text = """
      <a xmlns="one" xmlns:p="two" p:x="" y=""><p:b><c xmlns="" xmlns:p="three"><p:d/></c></p:b><e/></a>
      """
    let names = try events(text).compactMap { event -> XMLName? in
      if case .start(let name, _) = event { name } else { nil }
    }
    #expect(
      names == [
        XMLName(namespace: "one", local: "a"), XMLName(namespace: "two", local: "b"),
        XMLName(local: "c"), XMLName(namespace: "three", local: "d"),
        XMLName(namespace: "one", local: "e"),
      ])
    guard case .start(_, let attributes)? = try events(text).first else { throw Missing() }
    #expect(
      attributes.map(\.name) == [XMLName(namespace: "two", local: "x"), XMLName(local: "y")])
  }

  @Test func `damaged documents never trap`() throws {
    let text = Array(
      "<?xml version='1.0'?><d:a xmlns:d='n' b=\"&amp;\"><!-- c --><e>t&#65;</e><![CDATA[x]]></d:a>"
        .utf8)
    var random = SplitMix64(seed: 7)
    for _ in 0..<20_000 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<damaged.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
        case 1: damaged.remove(at: place)
        default: damaged.insert(text[Int.random(in: 0..<text.count, using: &random)], at: place)
        }
      }
      guard var reader = try? XMLReader(damaged) else { continue }
      while (try? reader.next()) != nil {}
    }
  }

  private struct Missing: Error {}
}
