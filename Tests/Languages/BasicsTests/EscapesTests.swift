import Basics
import Testing

struct EscapesTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `base64 is that of RFC 4648, and its padding may be missing`(
    _ text: String, _ code: String
  ) {
    #expect(Base64.encode(Array(text.utf8)) == code)
    #expect(Base64.decode(code) == Array(text.utf8))
    #expect(Base64.decode(String(code.prefix { $0 != "=" })) == Array(text.utf8))
  }

  @Test(arguments: ["=", "==", "===", "====", "Z", "Zg=a", "Zm9v=", "Zm9vYg==Zg==", "Zm 8=", "é"])
  func `text that is not base64 is refused`(_ code: String) {
    #expect(Base64.decode(code) == nil)
  }

  @Test func `the form for URLs has no padding`() {
    #expect(Base64.encodeForURL([0xFB, 0xFF]) == "-_8")
    #expect(Base64.encode([0xFB, 0xFF]) == "+/8=")
  }

  @Test func `percent-encoding keeps unreserved characters`() {
    #expect(PercentEncoding.encode("aZ9-._~/é") == "aZ9-._~%2F%C3%A9")
    #expect(PercentEncoding.encode("/a b", keeping: "/") == "/a%20b")
  }

  @Test(arguments: ["%", "%4", "%4g", "%g4", "a%+1"])
  func `a percent sign without two digits is refused, or stays`(_ text: String) {
    #expect(PercentEncoding.decode(text.utf8) == nil)
    #expect(PercentEncoding.decode(text.utf8, keepingMalformed: true) == Array(text.utf8))
  }

  @Test func `hexadecimal digits come in pairs`() {
    #expect(Hexadecimal.text([0, 0x0F, 0xA0]) == "000fa0")
    #expect(Hexadecimal.bytes(Array("0FaB".utf8)) == [0x0F, 0xAB])
    #expect(Hexadecimal.bytes(Array("0Fa".utf8)) == nil)
  }

  @Test(arguments: [("", "abc", 3), ("abc", "acb", 1), ("kitten", "sitting", 3), ("ab", "ab", 0)])
  func `swapped neighbours are one edit`(_ left: String, _ right: String, _ distance: Int) {
    #expect(editDistance(Array(left.utf8), Array(right.utf8)) == distance)
  }
}
