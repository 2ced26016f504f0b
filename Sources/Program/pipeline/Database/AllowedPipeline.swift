/// A pipeline, or a file that one uses, whose runs a worker may work on: `SHA256` or `SHA256=HOST,HOST`.
struct AllowedPipeline {
  /// The SHA-256 of its text, in lower case.
  let digest: String
  /// The only hosts for its requests; `nil` leaves the choice to `--allow-host`.
  let hosts: [HostPattern]?

  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    digest = parts[0].lowercased()
    guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit) else { return nil }
    guard parts.count == 2 else {
      hosts = nil
      return
    }
    let names = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    hosts = names.compactMap { HostPattern(String($0)) }
    guard hosts?.count == names.count else { return nil }
  }

  static func digest(of text: String) -> String {
    var digester = StreamDigester([.sha256])
    Array(text.utf8).withUnsafeBytes { digester.add($0) }
    return digester.digests()[.sha256] ?? ""
  }
}
