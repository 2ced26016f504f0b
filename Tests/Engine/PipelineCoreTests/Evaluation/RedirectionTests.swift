import PipelineCore
import Testing

/// A request that a redirect would change has not been carried out, so only redirects that keep it are followed.
struct RedirectionTests {
  private static func request(_ method: String, body: [UInt8] = []) -> RenderedRequest {
    var request = RenderedRequest(
      method: method, url: "https://a.example/b/c?d",
      headers: [
        .init(name: "Authorization", value: "Bearer t"), .init(name: "X-Plain", value: "1"),
        .init(name: "Idempotency-Key", value: "k"), .init(name: "X-Secret", value: "s"),
      ], body: body, secretHeaders: ["x-secret"])
    request.keyHeader = "idempotency-key"
    return request
  }

  private static func next(
    _ status: Int, _ location: String?, _ request: RenderedRequest, hasFile: Bool = false
  ) -> RenderedRequest? {
    let headers = location.map { [Response.Header(name: "Location", value: $0)] } ?? []
    return Redirection.next(
      after: Response(
        status: status, headers: headers, url: request.url, sent: Instant(milliseconds: 0),
        received: Instant(milliseconds: 0)), to: request, hasFile: hasFile)
  }

  @Test(arguments: [
    (301, "POST"), (302, "POST"), (303, "POST"), (303, "PUT"), (303, "DELETE"), (301, "PUT"),
    (302, "DELETE"), (303, "GET"), (303, "HEAD"), (300, "GET"), (304, "GET"), (305, "GET"),
    (200, "GET"), (201, "POST"), (404, "GET"),
  ])
  func `a response that would change the request, or does not redirect, is not followed`(
    _ status: Int, _ method: String
  ) {
    #expect(Self.next(status, "/login", Self.request(method)) == nil)
  }

  @Test(arguments: [
    (301, "GET"), (302, "HEAD"), (307, "POST"), (308, "PATCH"), (307, "PUT"), (308, "DELETE"),
    (307, "GET"),
  ])
  func `a redirect that keeps the request is followed with all of it`(
    _ status: Int, _ method: String
  ) throws {
    let request = Self.request(method, body: [1, 2])
    let next = try #require(Self.next(status, "../e", request))
    #expect(next.url == "https://a.example/e")
    #expect(next.method == method)
    #expect(next.body == [1, 2])
    #expect(next.headers == request.headers)
  }

  @Test(arguments: [
    "http://a.example/", "ftp://a.example/", "https://", "mailto:x", "https://a.example:99999/",
    "https://b c/", nil,
  ])
  func `a redirect that loses the encryption or leads nowhere is not followed`(_ target: String?) {
    #expect(Self.next(307, target, Self.request("GET")) == nil)
  }

  @Test func `a signed request is not followed, because its signature is valid for one URL`() {
    var request = Self.request("GET")
    request.signing = RenderedSigning(
      scheme: .oauth1, values: [:], location: SourceLocation(file: "a.yaml", line: 1, column: 1))
    #expect(Self.next(307, "/x", request) == nil)
  }

  @Test func `the author may forbid redirects`() {
    var request = Self.request("GET")
    request.redirects = .forbid
    #expect(Self.next(307, "/x", request) == nil)
  }

  @Test func `neither a body nor a file is sent to another origin that the author does not name`() {
    #expect(Self.next(307, "https://b.example/", Self.request("POST", body: [1])) == nil)
    #expect(Self.next(307, "https://b.example/", Self.request("PUT"), hasFile: true) == nil)
    #expect(Self.next(307, "https://a.example:8443/", Self.request("PUT"), hasFile: true) == nil)
  }

  @Test func `without a body, credentials and keys are removed`() throws {
    let next = try #require(Self.next(302, "https://b.example/x", Self.request("GET")))
    #expect(next.headers.map(\.name) == ["X-Plain"])
    #expect(next.hostNamedBy == ["a.example"])
    let back = Redirection.next(
      after: Response(
        status: 302, headers: [.init(name: "location", value: "https://a.example/")], url: next.url,
        sent: Instant(milliseconds: 0), received: Instant(milliseconds: 0)), to: next,
      hasFile: false)
    #expect(back?.headers.map(\.name) == ["X-Plain"])
  }

  @Test func `a named host receives the body and its key, and no credentials`() throws {
    var request = Self.request("POST", body: [1])
    request.redirects = .to([try #require(HostPattern("*.example"))])
    let next = try #require(Self.next(307, "https://b.example/", request))
    #expect(next.headers.map(\.name) == ["X-Plain", "Idempotency-Key"])
    #expect(next.body == [1])
    #expect(Self.next(307, "https://elsewhere.test/", request) == nil)
    // The author's list is complete, even for requests without a body.
    request.body = []
    #expect(Self.next(307, "https://elsewhere.test/", request) == nil)
    #expect(Self.next(307, "/same/origin", request) != nil)
  }

  @Test(arguments: [
    ("?upload=1", "https://a.example/b/c?upload=1"), ("//b.example/x", "https://b.example/x"),
    ("https://b.example", "https://b.example"), ("/x/../y", "https://a.example/y"),
  ])
  func `a location is relative to the URL that redirects`(_ location: String, _ url: String) {
    #expect(Self.next(307, location, Self.request("GET"))?.url == url)
  }
}
