import PipelineHTTP

struct ConnectionOptions: ParsableArguments {
  @Option(
    help: .help("PEM file of certificates to trust besides the system's roots.", "file"),
    completion: .file())
  var caFile: String?

  @Option(
    help: .help("PEM file with the certificate that is shown to servers that ask for one.", "file"),
    completion: .file())
  var clientCertificate: String?

  @Option(
    help: .help("PEM file with its private key (default: the same file).", "file"),
    completion: .file())
  var clientKey: String?

  @Option(
    help: .help(
      "Proxy for all requests but those to this machine, such as http://proxy.example.com:3128 or socks5://… "
        + "(default: $https_proxy, $http_proxy, $all_proxy).", "url"))
  var proxy: String?

  func validate() throws {
    if clientKey != nil, clientCertificate == nil, Settings.current.clientCertificate == nil {
      throw ValidationError("--client-key needs --client-certificate.")
    }
    let authority = proxy.map {
      $0.drop { $0 != ":" }.hasPrefix("://") ? $0.drop { $0 != "/" }.dropFirst(2) : $0[...]
    }
    if authority?.prefix(while: { !"/?#".contains($0) }).contains("@") == true {
      throw ValidationError(
        "--proxy must not contain a user and a password, which every process could read; set https_proxy in the "
          + "environment instead.")
    }
  }

  func apply(to configuration: inout HTTPTransportConfiguration) throws {
    let settings = Settings.current
    configuration.caFile = caFile ?? settings.caFile
    if let certificate = clientCertificate ?? settings.clientCertificate {
      let key = clientKey ?? (clientCertificate == nil ? settings.clientKey : nil)
      configuration.clientCertificate = .init(
        certificateFile: certificate, keyFile: key ?? certificate)
    }
    configuration.proxies = try proxies(settings)
  }

  private func proxies(_ settings: Settings) throws -> ProxySettings {
    let environment = ProcessInfo.processInfo.environment
    let listed = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
      .split { $0 == "," || $0 == " " }.map(String.init)
    let exceptions = settings.noProxy ?? listed
    if let proxy { return try ProxySettings(url: proxy, exceptions: exceptions, from: "--proxy") }
    let variables = ["http_proxy", "https_proxy", "all_proxy"]
    let isSet = variables.contains { environment[$0] ?? environment[$0.uppercased()] ?? "" != "" }
    guard !isSet, let proxy = settings.proxy else {
      return try ProxySettings(environment: environment)
    }
    return try ProxySettings(
      url: proxy, exceptions: exceptions, from: "'proxy' in '\(settings.file ?? Settings.path)'")
  }
}
