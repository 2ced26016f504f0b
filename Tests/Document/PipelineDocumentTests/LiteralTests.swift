import Testing

@testable import PipelineDocument

struct LiteralTests {
  @Test(arguments: ["", "10", "1 2s", "s", "1x", "-1s", "1.s", "1h30", "99999999d", "1e3s", ".5s"])
  func `text that is not a duration is refused`(_ text: String) {
    #expect(throws: DurationLiteral.Problem.self) { try DurationLiteral.parse(text) }
  }

  @Test func `an unknown unit of a duration is named with the valid ones`() {
    let expected = DurationLiteral.Problem(
      message: "unknown unit 'min', expected 'ms', 's', 'm', 'h' or 'd'", suggestion: "5m")
    #expect(throws: expected) { try DurationLiteral.parse("5min") }
  }

  @Test(arguments: [
    ("0s", 0), ("500ms", 500), ("1s", 1000), ("1.5s", 1500), ("5m", 300_000), ("1h30m", 5_400_000),
    ("1h 30m", 5_400_000), ("7d", 604_800_000), (" 2s ", 2000),
  ])
  func `a duration is the sum of its parts`(_ text: String, _ milliseconds: Int) throws {
    #expect(try DurationLiteral.parse(text) == .milliseconds(milliseconds))
  }

  @Test func `a duration is written for CEL in seconds`() {
    #expect(DurationLiteral.celText(.seconds(3600)) == "3600s")
    #expect(DurationLiteral.celText(.milliseconds(1005)) == "1.005s")
    #expect(DurationLiteral.celText(.milliseconds(50)) == "0.050s")
  }

  @Test(arguments: [
    "", "0", "4096", "MiB", "1 mib", "1 EB", "-1", "1.5.2 GB", "9000 TiB", "1 GB x",
  ])
  func `text that is not a size is refused`(_ text: String) {
    #expect(throws: SizeLiteral.Problem.self) { try SizeLiteral.parse(text) }
  }

  @Test(arguments: [("200", nil), ("4096", "4096 B")])
  func `a size needs a unit, and a small number is not treated as bytes`(
    _ text: String, _ suggestion: String?
  ) {
    let problem = #expect(throws: SizeLiteral.Problem.self) { try SizeLiteral.parse(text) }
    #expect(problem?.message.hasPrefix("'\(text)' has no unit") == true)
    #expect(problem?.suggestion == suggestion)
  }

  @Test(arguments: [
    ("0 B", 0), ("4096 B", 4096), ("512 MiB", 536_870_912), ("512MiB", 536_870_912),
    ("1.5 GB", 1_500_000_000), ("1 kB", 1000), ("1 KiB", 1024), ("7 B", 7),
    ("1 TiB", 1_099_511_627_776),
  ])
  func `a size counts bytes`(_ text: String, _ bytes: Int64) throws {
    #expect(try SizeLiteral.parse(text) == bytes)
  }

  @Test(arguments: [
    "", "example.com", "/v1", "ftp://example.com", "http://", "http://:80", "https://a b.com/",
    "http://h:0/", "http://h:99999/", "http://h:x/", "https://h/\u{7F}", "https://user:pw@host/",
  ])
  func `text that is not an absolute URL is refused`(_ text: String) {
    #expect(URLLiteral.problem(text) != nil)
  }

  @Test(arguments: [
    "http://127.0.0.1:8080", "https://example.com/a?b=c#d", "HTTPS://h", "http://[::1]:80/x",
  ])
  func `an absolute URL is accepted`(_ text: String) {
    #expect(URLLiteral.problem(text) == nil)
  }

  @Test func `the constant start of a URL is checked`() {
    #expect(URLLiteral.problem(beginning: "") == nil)
    #expect(URLLiteral.problem(beginning: "https://") == nil)
    #expect(URLLiteral.problem(beginning: "http") == nil)
    #expect(URLLiteral.problem(beginning: "/v1/") != nil)
    #expect(URLLiteral.problem(beginning: "ftp://") != nil)
  }
}
