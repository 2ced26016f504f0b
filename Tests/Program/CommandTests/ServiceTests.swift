import Foundation
import TestSupport
import Testing

/// `pipeline service` prints files that systemd accepts.
struct ServiceTests {
  private static let analyze = URL(filePath: "/usr/bin/systemd-analyze")
  private static let hasAnalyze = FileManager.default.isExecutableFile(atPath: analyze.path)

  private func scene() throws -> Scene {
    let scene = try Scene()
    try scene.directory.write(Definitions.put, to: "put.yaml")
    try scene.directory.write(Definitions.inputs, to: "inputs.yaml")
    return scene
  }

  @Test func `the unit runs the pipeline with its inputs, and resumes killed runs first`()
    async throws
  {
    let scene = try scene()
    let outcome = try await scene.pipeline.run(
      "service", "put.yaml", "--input", "server=http://127.0.0.1:9", "--input",
      "files=my $5 \"files\"/100%/*.bin", "--every", "15m")
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let state = scene.pipeline.stateFolder + "/service-put"
    let start = try #require(lines.first { $0.hasPrefix("ExecStart=") })
    #expect(start.hasPrefix("ExecStart=/"))
    #expect(
      start.hasSuffix(
        "/pipeline run \(scene.directory.path("put.yaml")) --input server=http://127.0.0.1:9 "
          + #"--input "files=my $$5 \"files\"/100%%/*.bin" "# + "--state \(state) --progress plain"),
      "\(start)")
    #expect(
      lines.contains { $0.hasPrefix("ExecStartPre=-/") && $0.contains("/pipeline resume --state ") }
    )
    #expect(lines.first == "# ~/.config/systemd/user/pipeline-put.service")
    #expect(lines.contains("# ~/.config/systemd/user/pipeline-put.timer"))
    #expect(lines.contains("OnUnitInactiveSec=900s"))
    #expect(!outcome.output.contains("EnvironmentFile"))
  }

  @Test func `a service that watches has no timer, and starts again after a failure`() async throws
  {
    let scene = try scene()
    for (other, word) in [("--every=5m", "no --every"), ("--only=timer", "has no timer")] {
      let refused = try await scene.pipeline.run("service", "put.yaml", "--watch", other)
      #expect(refused.status == 64, "\(refused)")
      #expect(refused.error.contains(word), "\(refused)")
    }
    let outcome = try await scene.pipeline.run("service", "put.yaml", "--watch")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(!outcome.output.contains("timer"), "\(outcome)")
    #expect(outcome.output.contains(" --watch --state "), "\(outcome)")
    #expect(!outcome.output.contains("ExecStartPre"), "\(outcome)")
    for line in ["Type=exec", "Restart=on-failure", "WantedBy=default.target"] {
      #expect(outcome.output.split(separator: "\n").contains(Substring(line)), "\(outcome)")
    }
  }

  @Test func `a secret comes from a file, and never from the unit`() async throws {
    let scene = try scene()
    let unit = try await scene.pipeline.run("service", "inputs.yaml", "--only", "unit")
    #expect(unit.output.hasPrefix("[Unit]\n"), "\(unit)")
    #expect(
      unit.output.contains(
        "# Mode 0600, with a line for each of: PIPELINE_INPUT_KEY\n"
          + "EnvironmentFile=%h/.config/pipeline/inputs.env\n"), "\(unit)")
    let secret = try await scene.pipeline.run("service", "inputs.yaml", "--input", "key=abc")
    #expect(secret.status == 2, "\(secret)")
    #expect(secret.output.isEmpty)
    #expect(secret.error.contains("secret 'key' must not be in a unit"), "\(secret)")
    for wrong in ["nothing=1", "word"] {
      let outcome = try await scene.pipeline.run("service", "inputs.yaml", "--input", wrong)
      #expect(outcome.status == 2, "\(outcome)")
      #expect(outcome.error.contains("--input '\(wrong)': expected name=value"), "\(outcome)")
    }
    let soon = try await scene.pipeline.run("service", "put.yaml", "--every", "0s")
    #expect(soon.status == 64, "\(soon)")
  }

  @Test(.enabled(if: hasAnalyze, "systemd-analyze(1) is needed"))
  func `systemd finds nothing wrong with the files`() async throws {
    let scene = try scene()
    for only in ["timer", "unit"] {
      let text = try await scene.pipeline.run(
        "service", "put.yaml", "--only", only, "--input", "files=my $5 \"files\"/100%/*.bin")
      let kind = only == "unit" ? "service" : "timer"
      try scene.directory.write(text.output, to: "units/pipeline-put.\(kind)")
    }
    func verdict() async throws -> CommandRunner.Outcome {
      try await scene.pipeline.start(
        executable: Self.analyze,
        [
          "verify", "--man=no", "--recursive-errors=no",
          scene.directory.path("units/pipeline-put.service"),
          scene.directory.path("units/pipeline-put.timer"),
        ]
      ).outcome()
    }
    let right = try await verdict()
    #expect(right.status == 0, "\(right)")
    #expect(!right.error.contains("pipeline-put"), "\(right)")
    // It would find something.
    let path = scene.directory.path("units/pipeline-put.service")
    let unit = try String(contentsOfFile: path, encoding: .utf8)
    try unit.replacing("ExecStart=/", with: "ExecStart=/nowhere/")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let wrong = try await verdict()
    #expect(wrong.error.contains("pipeline-put"), "\(wrong)")
  }
}
