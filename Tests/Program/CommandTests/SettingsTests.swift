import Foundation
import TestSupport
import Testing

/// `config.yaml`, `--profile`, and the options that make a run gentler without a change of its file.
struct SettingsTests {
  @Test(arguments: [
    "http://user:pa55@proxy.test:3128", "user:pa55@proxy.test", "socks5://pa55@proxy.test",
  ])
  func `a proxy's password on the command line is refused`(_ proxy: String) async throws {
    let scene = try Scene()
    let outcome = try await scene.pipeline.run("run", "p.yaml", "--proxy", proxy)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.error.contains("https_proxy"), "\(outcome)")
    #expect(!outcome.error.contains("pa55"), "\(outcome)")
  }

  /// A scene with a server and some files, whose commands read `config.yaml`.
  private func scene(
    _ settings: String, files: Int = 3, size: Int = 500, server arguments: String...
  ) async throws -> (scene: Scene, server: ServerProcess) {
    var scene = try Scene()
    try scene.files(files, size: size)
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let server = try await scene.server(arguments)
    try scene.directory.write(
      settings.replacing("SERVER", with: server.url), to: "config.yaml")
    scene.pipeline.environment["PIPELINE_CONFIG"] = scene.directory.path("config.yaml")
    return (scene, server)
  }

  @Test(arguments: [
    (
      "concurency: 4", "config.yaml:1:1: error[unknown-key]: unknown key 'concurency'",
      "concurrency"
    ),
    ("bandwidth: 0 B", "'bandwidth' is 0, which would block everything", "no limit"),
    ("bandwidth: 5", "invalid rate '5', expected bytes per second", "5 MB/s"),
    ("bandwidth: 5 MBit/s", "invalid rate '5 MBit/s'", "a byte has 8 bits"),
    ("concurrency: 0", "'concurrency' is 0, expected at least 1", ""),
    ("max_duration: 5", "config.yaml:1:15: error[invalid-duration]", ""),
    (
      "profile: ofice\nprofiles: { office: { concurrency: 1 } }", "no profile is called 'ofice'",
      "office"
    ),
    ("profiles: { office: { profile: home } }", "unknown key 'profile' in a profile", ""),
    ("on_finish: { command: a, request: { url: b } }", "has 'command' and 'request'", ""),
    ("progress: plane", "invalid a choice 'plane'", ""),
    ("profiles: office", "a mapping of names", ""),
    ("no_proxy: near.test", "expected a list of hosts", ""),
    ("on_finish: { request: { url: a, method: GET } }", "'POST' or 'PUT'", ""),
    ("keep_runs: some", "'keep_runs' in '", "duration"),
    ("keep_runs: \"1,2\"", "'keep_runs' in '", "an age and a number"),
    ("requests_per_second: 0.0001", "expected at least 0.001", ""),
    ("color: [red", "config.yaml:1:", ""), ("- state", "expected the settings as a mapping", ""),
  ])
  func `a mistake is named with its place, before anything is done`(
    _ text: String, _ message: String, _ help: String
  ) async throws {
    let (scene, server) = try await scene(text)
    let outcome = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=\(server.url)")
    #expect(outcome.status == 2, "\(outcome)")
    #expect(outcome.error.contains(message), "\(outcome)")
    #expect(help.isEmpty || outcome.error.contains(help), "\(outcome)")
    #expect(server.journal.isEmpty)
    // The help can be read all the same.
    #expect(try await scene.pipeline.run("run", "--help").status == 0)
  }

  @Test func `an invalid proxy is reported before a run is created`() async throws {
    let (scene, server) = try await scene("proxy: ftp://proxy.test")
    let outcome = try await scene.pipeline.run(
      "run", "put.yaml", "--input", "server=\(server.url)")
    #expect(outcome.status == 2 && outcome.error.contains("is not the URL"), "\(outcome)")
    #expect(try await scene.pipeline.run("runs", "--format", "json").output == "[]\n")
    #expect(server.journal.isEmpty)
  }

  @Test func `the settings of the page are accepted`() async throws {
    let page = try String(
      contentsOf: TestFiles.repository.appending(path: "docs/settings.md"), encoding: .utf8)
    let texts = page.components(separatedBy: "```yaml title=\"config.yaml\"\n").dropFirst()
    #expect(texts.count == 2)
    for text in texts {
      var (scene, _) = try await scene(text.components(separatedBy: "```")[0])
      scene.pipeline.environment["HOME"] = scene.directory.path("home")
      let runs = try await scene.pipeline.run("runs")
      #expect(runs.status == 0 && runs.error.isEmpty, "\(runs)\n\(text)")
    }
  }

  @Test func `a missing profile is refused, and so is a missing file that was named`()
    async throws
  {
    var (scene, _) = try await scene("profiles: { office: { concurrency: 1 } }")
    let unknown = try await scene.pipeline.run("runs", "--profile", "ofice")
    #expect(unknown.status == 2, "\(unknown)")
    #expect(unknown.error.contains("no profile is called 'ofice'"), "\(unknown)")
    #expect(unknown.error.contains("did you mean 'office'?"), "\(unknown)")
    scene.pipeline.environment["PIPELINE_CONFIG"] = scene.directory.path("none.yaml")
    let missing = try await scene.pipeline.run("runs")
    #expect(missing.status == 2, "\(missing)")
    #expect(missing.error.contains("cannot read the settings"), "\(missing)")
    scene.pipeline.environment["PIPELINE_CONFIG"] = nil
    scene.pipeline.environment["XDG_CONFIG_HOME"] = scene.directory.path("nowhere")
    #expect(try await scene.pipeline.run("runs").status == 0)
    let none = try await scene.pipeline.run("runs", "--profile", "office")
    #expect(
      none.error.contains("no profile is called 'office', because the file"), "\(none)")
  }

  @Test func `settings set inputs, state folder and display; the command line overrides them`()
    async throws
  {
    let (scene, server) = try await scene(
      """
      state: kept
      progress: none
      inputs: { server: "SERVER", files: ["files/file-0000.bin", "files/file-0001.bin"], other: 1 }
      profiles:
        one: { inputs: { files: files/file-0002.bin } }
      """)
    var direct = scene.pipeline
    let first = try await direct.run("run", "put.yaml")
    #expect(first.status == 0, "\(first)")
    #expect(first.output.contains("2 done"), "\(first)")
    #expect(first.error.isEmpty, "\(first)")
    let kept = scene.directory.path("kept/runs")
    #expect(try FileManager.default.contentsOfDirectory(atPath: kept).count == 1)
    let second = try await direct.run("run", "put.yaml", "--profile", "one", "--progress", "plain")
    #expect(second.output.contains("1 done"), "\(second)")
    #expect(second.error.contains("sends to "), "\(second)")
    let third = try await direct.run(
      "run", "put.yaml", "--input", "files=files/*.bin", "--profile=one")
    #expect(third.output.contains("3 done"), "\(third)")
    direct.environment["PIPELINE_PROFILE"] = "one"
    let fourth = try await direct.run("run", "put.yaml")
    #expect(fourth.output.contains("1 done"), "\(fourth)")
    #expect(server.journal.count { $0.method == "PUT" } == 7)
  }

  @Test func `a secret is read from a file, and never from the settings`() async throws {
    let (scene, _) = try await scene("inputs: { key: hunter2 }")
    try scene.directory.write(Definitions.inputs, to: "inputs.yaml")
    let refused = try await scene.pipeline.run("run", "inputs.yaml", "--dry-run")
    #expect(refused.status == 2, "\(refused)")
    #expect(refused.error.contains("secret 'key' must not be in the settings"), "\(refused)")
    #expect(!refused.error.contains("hunter2"))
    try scene.directory.write("hunter2\n", to: "key.txt")
    try scene.directory.write("inputs: { key: \"@key.txt\" }", to: "config.yaml")
    let read = try await scene.pipeline.run("run", "inputs.yaml", "--dry-run")
    #expect(read.status == 0, "\(read)")
    #expect(!read.output.contains("hunter2"), "\(read)")
  }

  @Test(arguments: [
    (["--bandwidth", "0 B"], "--bandwidth must be greater than 0"),
    (["--bandwidth", "5"], "'5' has no unit"),
    (["--bandwidth", "5MBit/s"], "--bandwidth"), (["--concurrency", "0"], "at least 1"),
    (["--requests-per-second", "0"], "must be greater than 0"),
    (["--max-transfer", "0 B"], "must be greater than 0"),
    (["--max-duration", "0s"], "greater than 0"),
    (["--client-key", "k.pem"], "--client-key needs --client-certificate"),
    (["--quiet", "--progress", "plain"], "--quiet shows no progress"),
    (["--on-finish-timeout", "0s"], "must be greater than 0"),
  ])
  func `a limit that lets nothing through is refused`(
    _ options: [String], _ message: String
  ) async throws {
    let scene = try Scene()
    try scene.directory.write(Definitions.put, to: "put.yaml")
    let outcome = try await scene.pipeline.run(["run", "put.yaml"] + options)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.error.contains(message), "\(outcome)")
  }

  @Test(arguments: [1, 3])
  func `the command line limits the number of concurrent items`(number: Int) async throws {
    let (scene, server) = try await scene("", files: 8)
    server.process.signal(SIGSTOP)
    let started = try scene.pipeline.start(
      "run", "put.yaml", "--input", "server=\(server.url)", "--concurrency", "\(number)",
      "--format", "json")
    try await scene.waitForTransfers(number, of: "put")
    _ = try await scene.pipeline.run("pause")
    let run = try await started.outcome()
    let items = try #require(try JSON.object(run.output)["items"] as? [String: Int])
    #expect(items["interrupted"] == number, "\(run)")
    #expect(items["pending"] == 8 - number, "\(run)")
  }

  @Test func `a run pauses when it has transferred enough, and resume continues it`() async throws {
    // Transferred bytes are counted every now and then: the fifth file waits for that.
    let (scene, server) = try await scene(
      "max_transfer: 3 MB", files: 8, size: 1_000_000, server: "--suspend-at", "5")
    let words = ["--input", "server=\(server.url)", "--concurrency", "1", "--bandwidth", "4MB/s"]
    let run = try await scene.pipeline.run(["run", "put.yaml"] + words)
    #expect(run.status == 1, "\(run)")
    #expect(
      run.output.contains("because: 2.86 MiB have been transferred, the limit of --max-transfer"),
      "\(run)")
    #expect(run.output.contains("continue with `pipeline resume"), "\(run)")
    let sent = server.journal.count { $0.method == "PUT" && ($0.status ?? 500) < 300 }
    #expect((2...5).contains(sent))
    // The fifth request may also be the next process's.
    let next = try scene.pipeline.start("resume", "--max-transfer", "1 GB")
    try await next.wait("its end") {
      if server.isSuspended { server.goOn() }
      return next.status != nil
    }
    let resumed = try await next.outcome()
    #expect(resumed.status == 0, "\(resumed)")
    #expect(resumed.output.contains("8 done"), "\(resumed)")
  }

  @Test func `a run pauses when its time has passed`() async throws {
    let (scene, server) = try await scene("", files: 3)
    server.process.signal(SIGSTOP)
    let first = try scene.pipeline.start("run", "put.yaml", "--input", "server=\(server.url)")
    try await scene.waitForTransfers(2, of: "put")
    try await first.killed()
    let run = try await scene.pipeline.run("resume", "--max-duration", "1s")
    #expect(run.status == 1, "\(run)")
    #expect(
      run.output.contains("because: 1.0 s have passed, the limit of --max-duration"), "\(run)")
    #expect(run.output.contains("2 interrupted"), "\(run)")
  }

  @Test func `quiet prints nothing for a run that succeeds`() async throws {
    let (scene, server) = try await scene("")
    try scene.directory.write("hidden", to: "in/.hidden")
    let words = ["run", "put.yaml", "--quiet", "--input"]
    let run = try await scene.pipeline.run(words + ["server=\(server.url)"])
    #expect(run.status == 0, "\(run)")
    #expect(run.output.isEmpty && run.error.isEmpty, "\(run)")
    let last = try await scene.pipeline.run(
      "run", "put.yaml", "--progress", "none", "--input", "server=\(server.url)")
    #expect(last.output.ranges(of: "finished in").count == 1 && last.error.isEmpty, "\(last)")
    let failed = try await scene.pipeline.run(words + ["server=http://127.0.0.1:9"])
    #expect(failed.status == 1, "\(failed)")
    #expect(failed.output.contains("3 paused"), "\(failed)")
  }
}
