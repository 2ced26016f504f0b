import Foundation
import TestSupport
import Testing

/// File names and servers' words that would steer a terminal or a build server, wherever the program shows them.
struct HostileTextTests {
  private static let names = [
    "\u{1B}]0;owned\u{07}.bin", "a\n::error file=x::owned.bin", "::error ::owned.bin",
    "##[error]owned.bin", "\u{202E}gpj.bin", "\u{9B}31m\u{200B}\u{FEFF}.bin", "<script>\"'&.bin",
    "a\u{2028}b\u{2029}\u{061C}.bin", "a\r\t\u{7F}.bin",
  ]

  private static let pipeline = """
    pipeline: rude
    inputs:
      server: { type: url }
      files: { type: files, default: "files/*" }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: put
            upload:
              method: PUT
              url: ${{ inputs.server + "/" + urlEscape(file.name) }}
              file: ${{ file }}
            on:
              - { if: "${{ response.status == 400 }}", then: fail, message: "it says: ${{ response.text }}" }
    """

  /// Characters that control, hide or reverse the text next to them,
  /// and every line that a build server would obey.
  private static func harm(in text: String) -> [String] {
    let invisible = text.unicodeScalars.filter { scalar in
      guard scalar != "\n" else { return false }
      return switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: true
      default: false
      }
    }
    let commands = text.split(separator: "\n").filter { line in
      line.drop { $0 == " " }.hasPrefix("::") || line.contains("##[")
    }
    return invisible.map { String($0.value, radix: 16) } + commands.map(String.init)
  }

  /// A folder with the files, and next to them one whose name is not text.
  private func scene() throws -> Scene {
    let scene = try Scene()
    for name in Self.names { try scene.directory.write(Data("x".utf8), to: "files/\(name)") }
    try scene.directory.write(Self.pipeline, to: "rude.yaml")
    return scene
  }

  @Test func `a run shows names and a server's words without control characters`() async throws {
    let scene = try scene()
    let script = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Scripts/rude_server.py").path(percentEncoded: false)
    let server = try scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"), ["python3", "-u", script])
    try await server.wait(for: "\n")
    let port = try #require(server.output.firstMatch(of: /port (\d+)/)?.output.1)
    let given = ["--input", "server=http://127.0.0.1:\(port)"]
    let commands = [
      ["run", "rude.yaml", "--dry-run"] + given,
      ["run", "rude.yaml", "--progress", "plain"] + given,
      ["status"], ["runs"], ["explain"], ["explain", "0/0"], ["history"], ["history", "0/0"],
      ["retry", "--progress", "json"], ["explain", "--format", "json"],
      ["history", "--format", "json"],
    ]
    var shown = ""
    for command in commands {
      let outcome = try await scene.pipeline.run(command)
      #expect([0, 1].contains(outcome.status), "\(command): \(outcome)")
      #expect(Self.harm(in: outcome.output) == [], "\(command)")
      #expect(Self.harm(in: outcome.error) == [], "\(command)")
      shown += outcome.output + outcome.error
    }
    for text in [
      #"\u001b]0;owned\u0007.bin"#, #"a\n::error file=x::owned.bin"#, #"\u202egpj.bin"#,
      #"it says: \u001b]0;owned\u0007\u001b[2J\r\n::error"#, #"<script>"'&.bin"#,
    ] {
      #expect(shown.contains(text), "\(text)")
    }
    // JSON keeps its meaning.
    let report = try JSON.object(
      try await scene.pipeline.run("explain", "--format", "json").output)
    let entries = try #require(report["entries"] as? [[String: Any]])
    let labels = Set(entries.compactMap { $0["name"] as? String })
    #expect(labels.isSuperset(of: Self.names.map { "files/" + $0 }))
  }

  @Test(arguments: ["text", "json", "github", "junit", "sarif"])
  func `findings show a file's name and text without control characters`(
    _ format: String
  ) async throws {
    let scene = try Scene()
    let name = "::error ::\u{1B}[2J\n::warning::\u{202E}.yaml"
    try scene.directory.write(
      "pipeline: rude\n\"bad\u{202E}\\n::error::\\e[2J\": 1 # \u{200B}\nsteps: []\n", to: name)
    let outcome = try await scene.pipeline.run("validate", name, "--format", format)
    #expect(outcome.status == 1, "\(outcome)")
    var lines = outcome.output.split(separator: "\n").map(String.init)
    if format == "github" {
      #expect(lines.allSatisfy { $0.hasPrefix("::error file=%3A%3Aerror %3A%3A\\u001b[2J%0A") })
      lines = lines.map { String($0.dropFirst(2)) }
    }
    #expect(!lines.isEmpty)
    #expect(Self.harm(in: lines.joined(separator: "\n")) == [])
    #expect(Self.harm(in: outcome.error) == [])
  }

  @Test func `an invalid argument is reported before anything else happens`()
    async throws
  {
    let scene = try Scene()
    for command in [
      ["status", "\u{1B}[2J\n::error::x"], ["validate", "\u{1B}[2J\n::error::x.yaml"],
      ["status", "--\u{1B}[2J\u{202E}"], ["eval", "\u{1B}[2J +"], ["\u{1B}[2J"],
    ] {
      let outcome = try await scene.pipeline.run(command)
      #expect(outcome.status != 0)
      #expect(Self.harm(in: outcome.output + outcome.error) == [], "\(command)")
    }
  }
}
