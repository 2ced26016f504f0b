import NIOSSL
import Synchronization

/// What connections with TLS share: the trusted roots, and the certificate that a client shows.
///
/// It is created when the first one needs it, because loading the system's roots is a third of the start of a run that
/// never leaves this machine. Files that the user named are read at once, so that an error in them comes first.
final class TLSContext: Sendable {
  private let configuration: HTTPTransportConfiguration
  private let made: Mutex<NIOSSLContext?>

  init(_ configuration: HTTPTransportConfiguration) throws(HTTPConfigurationError) {
    self.configuration = configuration
    let namesFiles = configuration.caFile != nil || configuration.clientCertificate != nil
    made = Mutex(namesFiles ? try Self.make(configuration) : nil)
  }

  func value() throws(HTTPConfigurationError) -> NIOSSLContext {
    try made.withLock { made throws(HTTPConfigurationError) in
      if let made { return made }
      let new = try Self.make(configuration)
      made = new
      return new
    }
  }

  private static func make(
    _ configuration: HTTPTransportConfiguration
  ) throws(HTTPConfigurationError) -> NIOSSLContext {
    var tls = TLSConfiguration.makeClientConfiguration()
    // RFC 8996: older versions are insecure.
    tls.minimumTLSVersion = .tlsv12
    tls.applicationProtocols = ["http/1.1"]
    if let path = configuration.caFile {
      guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty
      else {
        throw HTTPConfigurationError(
          description: "'\(path)' is not a readable PEM file of certificates")
      }
      tls.additionalTrustRoots = [.certificates(certificates)]
    }
    if let shown = configuration.clientCertificate { try show(shown, in: &tls) }
    do {
      return try NIOSSLContext(configuration: tls)
    } catch {
      throw HTTPConfigurationError(
        description: configuration.clientCertificate.map {
          "TLS cannot be used: the key in '\($0.keyFile)' does not belong to the certificate in '\($0.certificateFile)'"
        } ?? "TLS cannot be used: the trusted roots are not readable")
    }
  }

  private static func show(
    _ shown: ClientCertificate, in tls: inout TLSConfiguration
  ) throws(HTTPConfigurationError) {
    guard let chain = try? NIOSSLCertificate.fromPEMFile(shown.certificateFile), !chain.isEmpty
    else {
      throw HTTPConfigurationError(
        description:
          "the client's certificate '\(shown.certificateFile)' is not a readable PEM file of certificates"
      )
    }
    // Without a passphrase to ask for, the library must not ask in the terminal.
    guard
      let key = try? NIOSSLPrivateKey(
        file: shown.keyFile, format: .pem, passphraseCallback: { $0(Array<UInt8>()) })
    else {
      throw HTTPConfigurationError(
        description:
          "the client's key '\(shown.keyFile)' is not a readable PEM file with a private key that needs no passphrase"
      )
    }
    tls.certificateChain = chain.map { .certificate($0) }
    tls.privateKey = .privateKey(key)
  }
}

extension NIOSSLCertificate {
  /// Whether a certificate that the library has accepted for `host` is valid for it:
  /// a wildcard by itself does not count as a name (RFC 9525 §6.3).
  func names(_ host: String) -> Bool {
    let host = host.lowercased()
    let name = host.hasSuffix(".") ? host.dropLast() : host[...]
    guard !name.contains("."), !name.contains(":") else { return true }
    let names = _subjectAlternativeNames()
    guard names.contains(where: { $0.nameType == .dnsName || $0.nameType == .ipAddress }) else {
      // Without alternative names the library compares the common name, which only its description contains.
      return description.lowercased().contains(";common_name=\(name)>")
    }
    return names.contains {
      let text = String(decoding: $0.contents, as: UTF8.self).lowercased()
      return $0.nameType == .dnsName && (text == name || text == name + ".")
    }
  }
}
