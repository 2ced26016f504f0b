import PipelineSigning

/// Keys passed to a run: from the environment or from the shared credentials file,
/// and only for the host that is named.
struct GivenCredential: Equatable {
  enum Source: Equatable {
    case environment
    case profile(String)
  }

  let name: String
  let source: Source
  let host: String

  /// Reads `NAME=profile:PROFILE@HOST` or `NAME=environment@HOST`.
  init(_ text: String) throws {
    let expected = "expected NAME=profile:PROFILE@HOST or NAME=environment@HOST"
    guard let equals = text.firstIndex(of: "="), let at = text.lastIndex(of: "@"), equals < at
    else { throw CommandFailure(.usage, "'\(text)' in --credentials: \(expected)") }
    name = String(text[..<equals])
    host = text[text.index(after: at)...].lowercased()
    let source = text[text.index(after: equals)..<at]
    guard !name.isEmpty, !host.isEmpty, !host.contains(where: { "/*?#".contains($0) }) else {
      throw CommandFailure(
        .usage, "'\(text)' in --credentials: \(expected); a host has no scheme, path or '*'")
    }
    if source == "environment" {
      self.source = .environment
    } else if source.hasPrefix("profile:"), source.count > "profile:".count {
      self.source = .profile(String(source.dropFirst("profile:".count)))
    } else {
      throw CommandFailure(.usage, "'\(text)' in --credentials: \(expected)")
    }
  }
}

extension GivenCredential.Source {
  /// The names of keys in the file, which in capitals are those of variables.
  private static let names = [
    "key": "aws_access_key_id", "secret": "aws_secret_access_key",
    "session_token": "aws_session_token",
  ]

  /// The values by the keys of `aws_v4`.
  func values() throws -> [String: String] {
    let found: [String: String]
    let place: String
    switch self {
    case .environment:
      place = "the environment"
      found = Self.names.compactMapValues { Terminal.environment($0.uppercased()) }
    case .profile(let profile):
      let path =
        Terminal.environment("AWS_SHARED_CREDENTIALS_FILE")
        ?? (Terminal.environment("HOME") ?? "/") + "/.aws/credentials"
      place = "the profile '\(profile)' of '\(path)'"
      guard let text = try? String(validating: FileContents.bytes(path), as: UTF8.self) else {
        throw CommandFailure.environment("the credentials file '\(path)' cannot be read")
      }
      guard let section = SharedCredentialsFile(text).profiles[profile] else {
        throw CommandFailure.invalid("'\(path)' has no profile '\(profile)'")
      }
      found = Self.names.compactMapValues { section[$0] }
    }
    for key in ["key", "secret"] where (found[key] ?? "").isEmpty {
      let name = Self.names[key] ?? key
      throw CommandFailure.invalid(
        "\(place) has no '\(self == .environment ? name.uppercased() : name)'")
    }
    return found
  }
}

/// The shared credentials file: sections in brackets, with `name = value` in lines.
struct SharedCredentialsFile {
  private(set) var profiles: [String: [String: String]] = [:]

  /// Reads the text; lines of other forms, and comments after `#` or `;`, are skipped.
  init(_ text: String) {
    var profile: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      if line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("["), let end = line.firstIndex(of: "]") {
        let name = String(line[line.index(after: line.startIndex)..<end].trimmed)
        profile = name
        profiles[name, default: [:]] = profiles[name] ?? [:]
      } else if let profile, let equals = line.firstIndex(of: "=") {
        let name = line[..<equals].trimmed.lowercased()
        profiles[profile]?[name] = String(line[line.index(after: equals)...].trimmed)
      }
    }
  }
}
