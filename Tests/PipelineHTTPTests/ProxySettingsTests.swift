import PipelineCore
import Testing

@testable import PipelineHTTP

struct ProxySettingsTests {
  @Test(arguments: ["ftp://x", "https://proxy", "http://", "socks5://user:hunter2@x"])
  func `a value that is not a proxy is an error that names only the variable`(_ value: String) {
    let error = #expect(throws: HTTPConfigurationError.self) {
      try ProxySettings(environment: ["HTTPS_PROXY": value])
    }
    #expect(error?.description.hasPrefix("HTTPS_PROXY ") == true)
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test func `lower case wins, and each scheme has its own`() throws {
    let settings = try ProxySettings(environment: [
      "http_proxy": "a:1", "HTTP_PROXY": "b:2", "HTTPS_PROXY": "http://c:3", "all_proxy": "d:4",
    ])
    #expect(settings.proxy(isTLS: false, host: "x", port: 80)?.host == "a")
    #expect(settings.proxy(isTLS: true, host: "x", port: 443)?.host == "c")
    #expect(settings.proxy(isTLS: true, host: "x", port: 443)?.port == 3)
    let fallback = try ProxySettings(environment: ["ALL_PROXY": "socks5://d"])
    #expect(fallback.http?.isSOCKS == true)
    #expect(fallback.https?.port == 1080)
  }

  @Test(arguments: [
    ("example.com", 80, true), ("a.example.com", 80, true), ("EXAMPLE.com", 80, true),
    ("notexample.com", 80, false), ("b.org", 80, true), ("x.b.org", 80, true),
    ("c.net", 8080, true), ("c.net", 80, false), ("127.0.0.1", 80, true), ("other", 80, false),
  ])
  func `exceptions cover a name and what is below it`(
    _ host: String, _ port: Int, _ isDirect: Bool
  ) throws {
    let settings = try ProxySettings(environment: [
      "http_proxy": "proxy:1", "NO_PROXY": "example.com, .b.org,c.net:8080,127.0.0.1",
    ])
    #expect((settings.proxy(isTLS: false, host: host, port: port) == nil) == isDirect)
  }

  @Test func `a star covers all`() throws {
    let settings = try ProxySettings(environment: ["http_proxy": "proxy:1", "no_proxy": "*"])
    #expect(settings.proxy(isTLS: false, host: "x", port: 80) == nil)
  }

  @Test func `a request goes through the proxy, whose password the server does not see`()
    async throws
  {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write("HTTP/1.1 200 Connected\r\n\r\n")
      _ = try await $0.readHead()
      try await $0.write("HTTP/1.1 204 No Content\r\n\r\n")
      _ = await $0.readToEnd()
    }) { proxy in
      let settings = try ProxySettings(environment: [
        "http_proxy": "http://me:hunter2@127.0.0.1:\(proxy.port)"
      ])
      let response = try await withTransport({ $0.proxies = settings }) {
        await $0.send(RenderedRequest(method: "GET", url: "http://far.invalid/x"))
      }
      #expect(response.status == 204)
      #expect(proxy.heads.first?.hasPrefix("CONNECT far.invalid:80 ") == true)
      #expect(proxy.heads.first?.header("proxy-authorization") == "Basic bWU6aHVudGVyMg==")
      #expect(proxy.heads.last?.hasPrefix("GET /x ") == true)
      #expect(proxy.heads.last?.header("proxy-authorization") == nil)
    }
  }

  @Test(arguments: ["407 Proxy Authentication Required", "502 Bad Gateway"])
  func `a proxy that does not connect gives no response, and nothing was sent`(
    _ status: String
  ) async throws {
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n")
      _ = await $0.readToEnd()
    }) { proxy in
      let settings = try ProxySettings(environment: ["http_proxy": "127.0.0.1:\(proxy.port)"])
      let response = try await withTransport({ $0.proxies = settings }) {
        await $0.send(RenderedRequest(method: "GET", url: "http://far.invalid/x"))
      }
      #expect(response.error?.kind == .connectionRefused)
      #expect(response.error?.mayHaveBeenSent == false)
      #expect(
        response.error?.message.hasSuffix("(through the proxy http://127.0.0.1:\(proxy.port))")
          == true)
    }
  }

  @Test func `a proxy that is down is named, without its password`() async throws {
    let settings = try ProxySettings(url: "http://me:hunter2@127.0.0.1:1", from: "--proxy")
    let response = try await withTransport({ $0.proxies = settings }) {
      await $0.send(RenderedRequest(method: "GET", url: "http://far.invalid/x"))
    }
    #expect(response.error?.kind == .connectionRefused)
    #expect(
      response.error?.message
        == "far.invalid:80: connection refused (through the proxy http://127.0.0.1:1)")
  }

  @Test(arguments: [
    "localhost", "LOCALHOST", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "2130706433",
  ])
  func `this machine is reached directly`(_ host: String) throws {
    let settings = try ProxySettings(url: "proxy.test:3128", from: "--proxy")
    #expect(settings.proxy(isTLS: true, host: host, port: 443) == nil)
    #expect(settings.proxy(isTLS: true, host: "localhost.test", port: 443) != nil)
    #expect(settings.proxy(isTLS: false, host: "10.0.0.1", port: 80) != nil)
  }

  @Test func `a URL that is given covers all hosts but its exceptions`() throws {
    let settings = try ProxySettings(
      url: "socks5://p.test", exceptions: ["Near.test"], from: "--proxy")
    #expect(
      settings.proxy(isTLS: true, host: "far.test", port: 443)?.title == "socks5://p.test:1080")
    #expect(settings.proxy(isTLS: true, host: "near.test", port: 443) == nil)
    #expect(
      throws: HTTPConfigurationError(
        description: "--proxy is not the URL of an http or socks5 proxy")
    ) {
      try ProxySettings(url: "ftp://p.test", from: "--proxy")
    }
  }
}
