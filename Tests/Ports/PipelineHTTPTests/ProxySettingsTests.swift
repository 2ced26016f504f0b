import PipelineCore
import Testing

@testable import PipelineHTTP

struct ProxySettingsTests {
  @Test(arguments: [
    "ftp://x", "https://proxy", "http://", "socks5://user:hunter2@x", "http://p:0", "p:65536",
  ])
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
  func `exceptions cover a name and its subdomains`(
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

  @Test func `a request is sent through the proxy, whose password the server does not see`()
    async throws
  {
    try await RawServer.run({
      _ = try await $0.readHead()
      // The end of the connection ends the handshake.
      try await $0.write("HTTP/1.1 200 Connected\r\n\r\n")
    }) { proxy in
      let settings = try ProxySettings(environment: [
        "https_proxy": "http://me:hunter2@127.0.0.1:\(proxy.port)"
      ])
      let response = try await withTransport({ $0.proxies = settings }) {
        await $0.send(RenderedRequest(method: "GET", url: "https://far.invalid/x"))
      }
      // Only the handshake goes through the tunnel.
      #expect(response.error != nil)
      #expect(proxy.heads.count == 1)
      #expect(proxy.heads.first?.hasPrefix("CONNECT far.invalid:443 ") == true)
      #expect(proxy.heads.first?.header("proxy-authorization") == "Basic bWU6aHVudGVyMg==")
    }
  }

  @Test func `plain HTTP is sent to the proxy with the whole URL, and one connection is kept`()
    async throws
  {
    try await RawServer.run({ connection in
      for _ in 0..<2 {
        _ = try await connection.readHead()
        try await connection.write("HTTP/1.1 204 No Content\r\n\r\n")
      }
      _ = await connection.readToEnd()
    }) { proxy in
      let settings = try ProxySettings(environment: [
        "http_proxy": "http://me:hunter2@127.0.0.1:\(proxy.port)"
      ])
      try await withTransport({ $0.proxies = settings }) { transport in
        for path in ["x?a=b", "y"] {
          let response = await transport.send(
            RenderedRequest(method: "GET", url: "http://far.invalid:8080/\(path)"))
          #expect(response.status == 204)
        }
      }
      #expect(
        proxy.heads.map { String($0.split(separator: "\r\n")[0]) } == [
          "GET http://far.invalid:8080/x?a=b HTTP/1.1", "GET http://far.invalid:8080/y HTTP/1.1",
        ])
      for head in proxy.heads {
        #expect(head.header("host") == "far.invalid:8080")
        #expect(head.header("proxy-authorization") == "Basic bWU6aHVudGVyMg==")
      }
    }
  }

  @Test(arguments: [
    ("https", "407 Proxy Authentication Required"), ("https", "502 Bad Gateway"),
    ("http", "407 Proxy Authentication Required"),
  ])
  func `a proxy that refuses is quoted, and nothing was sent`(
    _ scheme: String, _ status: String
  ) async throws {
    let page = "<html><b>blocked</b>\n by rule 7</html>"
    try await RawServer.run({
      _ = try await $0.readHead()
      try await $0.write("HTTP/1.1 \(status)\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)")
      _ = await $0.readToEnd()
    }) { proxy in
      let settings = try ProxySettings(environment: ["all_proxy": "127.0.0.1:\(proxy.port)"])
      let response = try await withTransport({ $0.proxies = settings }) {
        await $0.send(RenderedRequest(method: "GET", url: "\(scheme)://far.invalid/x"))
      }
      #expect(response.error?.kind == .connectionRefused)
      #expect(response.error?.mayHaveBeenSent == false)
      #expect(
        response.error?.message.hasSuffix(
          ": it returned \(status.prefix(3)), blocked by rule 7 "
            + "(through the proxy http://127.0.0.1:\(proxy.port))") == true)
    }
  }

  @Test(arguments: [
    ("10.0.0.0/8", "10.200.3.4", true), ("10.0.0.0/8", "11.0.0.1", false),
    ("192.168.4.0/22", "192.168.7.255", true), ("192.168.4.0/22", "192.168.8.0", false),
    ("fd00::/8", "fd12::1", true), ("fd00::/8", "10.0.0.1", false), ("[fd00::]/8", "fd12::1", true),
    ("[2001:db8::1]", "2001:db8::1", true), ("2001:0db8:0:0::1", "2001:db8::1", true),
    ("[2001:db8::1]:443", "2001:db8::1", false), ("[2001:db8::1]:80", "2001:db8::1", true),
    ("0.0.0.0/0", "8.8.8.8", true), ("10.0.0.0/8", "10.example.com", false),
    ("10.0.0.1/32", "10.0.0.1", true), ("near.test:443", "near.test", false),
    ("near.test:80", "a.near.test", true), ("*.near.test", "near.test", true),
  ])
  func `exceptions may be networks, and addresses in brackets or other spellings`(
    _ exception: String, _ host: String, _ isDirect: Bool
  ) throws {
    let settings = try ProxySettings(environment: ["http_proxy": "p:1", "no_proxy": exception])
    #expect((settings.proxy(isTLS: false, host: host, port: 80) == nil) == isDirect)
  }

  @Test(arguments: ["10.0.0.0/x", "10.0.0.1/33", "fd00::1/129", "http://near.test", "near.test/8"])
  func `an exception that is neither a host nor a network is an error, if there is a proxy`(
    _ exception: String
  ) throws {
    let environment = ["NO_PROXY": "10.0.0.0/8, \(exception)"]
    let error = HTTPConfigurationError(
      description:
        "no_proxy: '\(exception)' is neither a host nor a network such as 10.0.0.0/8 or fd00::/8")
    #expect(throws: error) {
      try ProxySettings(environment: environment.merging(["http_proxy": "p:1"]) { $1 })
    }
    #expect(throws: error) {
      try ProxySettings(url: "p:1", exceptions: [exception], from: "--proxy")
    }
    _ = try ProxySettings(environment: environment)
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

  @Test func `a URL that is passed covers all hosts but its exceptions`() throws {
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
