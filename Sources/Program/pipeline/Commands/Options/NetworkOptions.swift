import PipelineHTTP

struct NetworkOptions: ParsableArguments {
  @Option(
    help: .help(
      "Use keys of the shared credentials file, or of the environment, for credentials of the pipeline, and for one host: "
        + "NAME=profile:PROFILE@HOST or NAME=environment@HOST; repeat it for more.",
      "name=source@host")) var credentials: [String] = []

  @Option(
    help: .help("PEM file of certificates to trust in addition to the system's roots.", "file"),
    completion: .file()) var caFile: String?

  @Option(
    help: .help("PEM file with the client certificate, for servers that request one.", "file"),
    completion: .file()) var clientCertificate: String?

  @Option(
    help: .help("PEM file with its private key (default: the same file).", "file"),
    completion: .file()) var clientKey: String?

  @Option(
    help: .help(
      "Proxy for all requests except those to this machine, such as http://proxy.example.com:3128 or socks5://… "
        + "(default: $https_proxy, $http_proxy, $all_proxy).", "url")) var proxy: String?

  @Option(
    name: .customLong("allow-host"),
    help: .help(
      "Allow requests to this host only, such as api.example.com, *.example.com or localhost:8080; repeat it for more "
        + "(default: any host).", "host")) var allowedHosts: [String] = []

  @Flag(help: "Allow secrets to be sent to other machines over plain http.") var insecure = false

  @Option(
    help: .help(
      "How long to wait for a network if no host has responded yet; the run then ends with status 4. A connection that is refused is a response.",
      "duration")) var networkTimeout = "5m"

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
    _ = try networkLimit()
    _ = try hostPatterns()
  }

  /// The hosts of `--allow-host`; `nil` means any.
  private func hostPatterns() throws -> [HostPattern]? {
    guard !allowedHosts.isEmpty else { return nil }
    return try allowedHosts.map { text in
      guard let pattern = HostPattern(text) else {
        throw ValidationError(
          "'\(text)' in --allow-host: expected a host, such as api.example.com, *.example.com or localhost:8080."
        )
      }
      return pattern
    }
  }

  private func networkLimit() throws -> Duration {
    try Arguments.duration(networkTimeout, for: "--network-timeout")
  }

  /// The options, and the settings where they are silent.
  func network() throws -> RunNetwork {
    let settings = Settings.current
    var connections = HTTPTransportConfiguration()
    connections.caFile = caFile ?? settings.caFile
    if let certificate = clientCertificate ?? settings.clientCertificate {
      let key = clientKey ?? (clientCertificate == nil ? settings.clientKey : nil)
      connections.clientCertificate = .init(
        certificateFile: certificate, keyFile: key ?? certificate)
    }
    connections.proxies = try proxies(settings)
    connections.allowedHosts = try hostPatterns()
    connections.isInsecure = insecure
    return RunNetwork(
      connections: connections, credentials: try credentials.map(GivenCredential.init),
      timeout: try networkLimit())
  }

  private func proxies(_ settings: Settings) throws -> ProxySettings {
    let environment = ProcessInfo.processInfo.environment
    let exceptions = settings.noProxy ?? ProxySettings.listedExceptions(environment)
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
