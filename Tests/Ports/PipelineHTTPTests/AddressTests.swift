import PipelineCore
import Testing

@testable import PipelineHTTP

struct AddressTests {
  @Test(arguments: [
    ("http://127.0.0.1:99999/", "port of the URL is 99999"),
    ("http://a.example:65536/x", "port of the URL is 65536"), ("http://a.example:0/", "is 0"),
    ("http://a.example:99999999999999999999/", "is 99999999999999999999"),
    ("https://[::1]:70000/", "is 70000"), ("http://u:p@a.example:65536?x", "is 65536"),
    ("ftp://a.example/", "http or https"), ("http:///x", "have a host"),
    ("http://a%0d%0aX:b/", "URL"), ("http://a%20b/", "the host"), ("http://a..b%00/", "the host"),
    ("http://\(String(repeating: "a", count: 254))/", "the host"),
  ])
  func `an error names the address that could not be reached`(_ url: String, _ part: String) {
    let error = #expect(throws: TransportFailure.self) { try Address(url) }
    #expect(error?.kind == .badURL)
    #expect(error?.mayHaveBeenSent == false)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("http://a.example", "a.example", "/"),
    ("HTTP://A.Example:80/B?c=%20#d", "a.example", "/B?c=%20"),
    ("http://a.example:/x", "a.example", "/x"), ("https://a.example:443?q", "a.example", "/?q"),
    ("https://a.example:80/", "a.example:80", "/"), ("http://[::1]:8080/x", "[::1]:8080", "/x"),
    ("http://user:pa%3Ass@a.example:8080/x", "a.example:8080", "/x"),
    ("http://a.example/a:99999/b@c:77777", "a.example", "/a:99999/b@c:77777"),
    ("http://a.example:65535/", "a.example:65535", "/"),
    ("http://a.example:00080/", "a.example", "/"),
  ])
  func `a URL becomes the request line and Host`(
    _ url: String, _ authority: String, _ target: String
  ) throws {
    let address = try Address(url)
    #expect(address.authority == authority)
    #expect(address.target == target)
  }

  @Test(arguments: [
    "http://127.0.0.1:99999/", "//127.0.0.1:65536/", "http://h:99999999999999999999/",
  ])
  func `a redirect to a port that does not exist is not followed`(_ target: String) {
    let request = RenderedRequest(method: "GET", url: "http://a.example/")
    let response = Response(
      status: 307, headers: [.init(name: "Location", value: target)], url: request.url,
      sent: Instant(milliseconds: 0), received: Instant(milliseconds: 0))
    #expect(Redirection.next(after: response, to: request, hasFile: false) == nil)
  }
}
