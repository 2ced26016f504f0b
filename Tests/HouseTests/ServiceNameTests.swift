import Testing

/// The language is general: what differs between services is in YAML,
/// and no code refers to a service by its name.
struct ServiceNameTests {
  private static let services: Set<Substring> = [
    "activestorage", "amazon", "azure", "backblaze", "cloudflare", "discord", "dropbox",
    "facebook", "flickr", "google", "immich", "instagram", "nextcloud", "onedrive", "slack",
    "tiktok", "vimeo", "youtube",
  ]

  /// Signatures have the names of their standards; CEL's types and its specification have these.
  private static func isStandard(_ line: Substring, _ path: String) -> Bool {
    path.hasPrefix("Sources/Engine/PipelineSigning/")
      || line.contains("Shared Key of Azure Storage")
      || line.contains("google.protobuf.") || line.contains("google/cel-spec")
  }

  /// The services that a line of code names.
  private static func names(in line: some StringProtocol) -> [Substring] {
    line.lowercased().split { !$0.isLetter }.map { Substring($0) }.filter(services.contains)
  }

  @Test func `a name is found as a word`() {
    #expect(Self.names(in: #"let host = "www.Dropbox.com""#) == ["dropbox"])
    #expect(Self.names(in: "let slackness = 1") == [])
  }

  @Test func `no code names a service`() throws {
    for file in try PackageFolder.swiftFiles(under: "Sources") {
      for (index, line) in file.lines.enumerated() {
        let code = line.drop { $0 == " " }
        guard !code.hasPrefix("//"), !Self.isStandard(line, file.path) else { continue }
        #expect(Self.names(in: line) == [], "\(file.path):\(index + 1)")
      }
    }
  }
}
