import ArgumentParser
import PipelineCommands
import PipelineHTTP

struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "PEM file of certificates to trust besides the system's roots.", valueName: "file"),
    completion: .file())
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      "PEM file with the certificate that is shown to servers that ask for one.", valueName: "file"),
    completion: .file())
  var clientCertificate: String?

  @Option(
    help: ArgumentHelp(
      "PEM file with its private key (default: the same file).", valueName: "file"),
    completion: .file())
  var clientKey: String?

  @Option(
    help: ArgumentHelp(
      "Proxy for all requests but those to this machine, such as http://proxy.example.com:3128 or socks5://… "
        + "(default: $https_proxy, $http_proxy, $all_proxy).",
      valueName: "url"))
  var proxy: String?

  func validate() throws {
    if clientKey != nil, clientCertificate == nil, Settings.current.clientCertificate == nil {
      throw ValidationError("--client-key needs --client-certificate.")
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
    let isSet = variables.contains {
      environment[$0] ?? environment[$0.uppercased()] ?? "" != ""
    }
    guard !isSet, let proxy = settings.proxy else {
      return try ProxySettings(environment: environment)
    }
    return try ProxySettings(
      url: proxy, exceptions: exceptions, from: "'proxy' in '\(settings.file ?? Settings.path)'")
  }
}
