import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import PipelineCore
import PipelineHTTP
import Testing

struct TLSTests {
  private let folder: ScratchFolder
  private let certificate: String
  private let key: String

  init() throws { try self.init(for: "localhost") }

  /// Makes a certificate that signs itself, with an alternative name or only with a common one.
  private init(for name: String, hasAlternativeName: Bool = true) throws {
    folder = try ScratchFolder()
    certificate = folder.path + "/certificate.pem"
    key = folder.path + "/key.pem"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
      "-days", "2", "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate,
    ]
    if hasAlternativeName {
      process.arguments?.append(contentsOf: ["-addext", "subjectAltName=DNS:\(name)"])
    }
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  /// Sends a request to a TLS server that answers 204 to everything.
  private func request(
    host: String, atMost version: TLSVersion? = nil, asksWho: Bool = false,
    _ change: (inout HTTPTransportConfiguration) -> Void = { _ in }
  ) async throws -> (response: Response, port: Int) {
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
      privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
    configuration.maximumTLSVersion = version
    if asksWho {
      configuration.certificateVerification = .noHostnameVerification
      configuration.trustRoots = .file(certificate)
    }
    let context = try NIOSSLContext(configuration: configuration)
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            NIOSSLServerHandler(context: context), NoContent())
        }
      }
      .bind(host: "localhost", port: 0).get()
    let port = try #require(channel.localAddress?.port)
    let response = try await withTransport(change) {
      await $0.send(RenderedRequest(method: "GET", url: "https://\(host):\(port)/?token=x"))
    }
    try await channel.close()
    return (response, port)
  }

  @Test func `a certificate of an unknown authority is not trusted`() async throws {
    let (response, port) = try await request(host: "localhost")
    #expect(response.error?.kind == .tls)
    #expect(response.error?.mayHaveBeenSent == false)
    #expect(
      response.error?.message.hasPrefix("localhost:\(port): the certificate is not trusted") == true
    )
  }

  @Test func `a server that supports nothing newer than TLS 1.1 is refused`() async throws {
    let (response, _) = try await request(host: "localhost", atMost: .tlsv11) {
      $0.caFile = certificate
    }
    #expect(response.error?.kind == .tls)
    #expect(response.error?.mayHaveBeenSent == false)
    let (newer, _) = try await request(host: "localhost", atMost: .tlsv12) {
      $0.caFile = certificate
    }
    #expect(newer.status == 204)
  }

  @Test func `a certificate for another host is refused`() async throws {
    let (response, port) = try await request(host: "127.0.0.1") { $0.caFile = certificate }
    #expect(
      response.error
        == TransportFailure(
          .tls, message: "127.0.0.1:\(port): the certificate is for another host",
          mayHaveBeenSent: false))
  }

  @Test(arguments: ["*", "l*", "*host"], [true, false])
  func `a wildcard without a domain does not name a host`(
    _ name: String, _ hasAlternativeName: Bool
  ) async throws {
    let wild = try TLSTests(for: name, hasAlternativeName: hasAlternativeName)
    let (response, _) = try await wild.request(host: "localhost") { $0.caFile = wild.certificate }
    #expect(response.error?.kind == .tls)
    #expect(response.error?.message.hasSuffix("the certificate is for another host") == true)
    #expect(response.error?.mayHaveBeenSent == false)
  }

  @Test func `a certificate with only a common name is accepted for that name`() async throws {
    let common = try TLSTests(for: "localhost", hasAlternativeName: false)
    let (response, _) = try await common.request(host: "localhost") {
      $0.caFile = common.certificate
    }
    #expect(response.status == 204)
  }

  @Test func `a file with authorities is trusted`() async throws {
    let (response, _) = try await request(host: "localhost") { $0.caFile = certificate }
    #expect(response.error == nil)
    #expect(response.status == 204)
  }

  @Test func `a file without authorities is an error at once`() throws {
    var configuration = HTTPTransportConfiguration()
    configuration.caFile = key
    #expect(throws: HTTPConfigurationError.self) {
      try HTTPTransport(configuration: configuration, clock: StoppedClock())
    }
  }

  @Test func `a server that requests a client certificate gets it, and refuses without one`()
    async throws
  {
    let (refused, _) = try await request(host: "localhost", asksWho: true) {
      $0.caFile = certificate
    }
    #expect(refused.error != nil)
    let (response, _) = try await request(host: "localhost", asksWho: true) {
      $0.caFile = certificate
      $0.clientCertificate = .init(certificateFile: certificate, keyFile: key)
    }
    #expect(response.status == 204)
  }

  @Test func `a client's certificate that cannot be used is an error at once, and names the file`()
    throws
  {
    for (shown, problem) in [
      (ClientCertificate(certificateFile: key, keyFile: key), "the client's certificate '\(key)'"),
      (
        .init(certificateFile: certificate, keyFile: certificate),
        "the client's key '\(certificate)'"
      ),
      (.init(certificateFile: certificate, keyFile: "/none"), "the client's key '/none'"),
    ] {
      var configuration = HTTPTransportConfiguration()
      configuration.clientCertificate = shown
      do {
        _ = try HTTPTransport(configuration: configuration, clock: StoppedClock())
        Issue.record("\(problem) is accepted")
      } catch {
        #expect(error.description.hasPrefix(problem))
      }
    }
  }

  @Test func `a server that does not support TLS has a separate error`() async throws {
    try await RawServer.run({
      try await $0.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      _ = await $0.readToEnd()
    }) { server in
      let response = try await withTransport {
        await $0.send(RenderedRequest(method: "GET", url: "https://127.0.0.1:\(server.port)/"))
      }
      #expect(response.error?.kind == .tls)
      #expect(
        response.error?.message == "127.0.0.1:\(server.port): the server does not support TLS")
    }
  }

  @Test func `a stalled handshake is a timeout, and nothing was sent`() async throws {
    try await RawServer.run({ _ = await $0.readToEnd() }) { server in
      let response = try await withTransport({ $0.connectTimeout = .milliseconds(100) }) {
        await $0.send(RenderedRequest(method: "GET", url: "https://127.0.0.1:\(server.port)/"))
      }
      #expect(
        response.error
          == TransportFailure(
            .timeout, message: "127.0.0.1:\(server.port): no connection within 100 ms",
            mayHaveBeenSent: false))
    }
  }
}

private final class NoContent: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.writeAndFlush(
      wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 204 No Content\r\n\r\n")), promise: nil)
  }
}
