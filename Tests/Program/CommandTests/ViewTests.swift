import Foundation
import TestSupport
import Testing

/// The page that `pipeline view` serves: who gets it, and that its figures are those of the commands.
struct ViewTests {
  /// A scene with a finished run of three files, and its page.
  private struct Place {
    let scene: Scene
    let run: String
    let view: RunningCommand
    /// Such as `http://127.0.0.1:PORT/TOKEN/`.
    let address: String
    var origin: String { address.split(separator: "/").prefix(2).joined(separator: "//") }

    init(_ arguments: String..., files: [String] = []) async throws {
      scene = try Scene()
      try scene.files(3)
      for name in files { try scene.directory.write("x", to: "files/\(name)") }
      try scene.directory.write(Definitions.put, to: "put.yaml")
      let server = try await scene.server()
      let done = try await scene.pipeline.run(
        "run", "put.yaml", "--input", "server=\(server.url)", "--input", "files=files/*")
      #expect(done.status == 0, "\(done)")
      run = try scene.runName()
      view = try scene.pipeline.start(["view"] + arguments)
      try await view.wait(for: "/\n")
      address = try #require(view.output.split(separator: "\n").first.map(String.init))
    }

    /// The status, and the body, of a request with more arguments for curl.
    func get(_ url: String, _ arguments: String...) async throws -> (status: Int, body: String) {
      let asked = try scene.pipeline.start(
        executable: URL(filePath: "/usr/bin/env"),
        ["curl", "-s", "--max-time", "60", "-w", "\n%{http_code}"] + arguments + [url])
      let lines = try await asked.outcome().output.split(
        separator: "\n", omittingEmptySubsequences: false)
      return (Int(lines.last ?? "") ?? 0, lines.dropLast().joined(separator: "\n"))
    }
  }

  @Test func `only who knows the token, from the page itself, gets anything`() async throws {
    let place = try await Place()
    let path = "api/runs"
    let wrong = place.origin + "/" + String(repeating: "0", count: 32) + "/"
    for url in [wrong, wrong + path, place.origin + "/", place.origin + "/" + path] {
      let refused = try await place.get(url)
      #expect(refused.status == 403 && !refused.body.contains(place.run), "\(url): \(refused)")
    }
    let url = place.address + path
    for header in ["Host: evil.test", "Host: evil.test:80"] {
      #expect(try await place.get(url, "-H", header).status == 421, "\(header)")
    }
    #expect(try await place.get(url, "-H", "Origin: http://evil.test").status == 403)
    #expect(try await place.get(url, "-H", "Origin: null").status == 403)
    #expect(try await place.get(url).status == 200)
    #expect(try await place.get(url, "-H", "Origin: \(place.origin)").status == 200)
    let head = try await place.get(place.address, "-i")
    #expect(head.body.contains("default-src 'none'; script-src 'self'"), "\(head)")
    #expect(head.body.contains("frame-ancestors 'none'"), "\(head)")
  }

  @Test func `an action needs the page's own request, and names what is wrong`() async throws {
    let place = try await Place()
    let url = place.address + "api/runs/\(place.run)/"
    let json = ["-H", "Content-Type: application/json"]
    func post(_ action: String, _ body: String, _ headers: [String]) async throws -> Int {
      try await place.get(
        url + action, "-X", "POST", "-d", body, headers[0], headers[1]
      ).status
    }
    #expect(try await post("cancel", "{}", ["-H", "Content-Type: text/plain"]) == 415)
    #expect(try await post("remove", "{}", json) == 400)
    #expect(try await post("cancel", "[]", json) == 400)
    #expect(try await post("retry", #"{"items": ["--state"]}"#, json) == 400)
    #expect(try await post("retry", #"{"items": [], "cause": "403"}"#, json) == 400)
    let none = try await place.get(
      place.address + "api/runs/none/pause", "-X", "POST", "-d", "{}", json[0], json[1])
    #expect(none.status == 404 && none.body.contains("no run is called 'none'"), "\(none)")
    let paused = try await place.get(url + "pause", "-X", "POST", "-d", "{}", json[0], json[1])
    #expect(paused.status == 200 && paused.body.contains("nothing to stop"), "\(paused)")
  }

  @Test func `the figures are those of the commands`() async throws {
    let place = try await Place()
    func printed(_ arguments: String...) async throws -> String {
      try await place.scene.pipeline.run(arguments + ["--format", "json"]).output
    }
    let run = try await place.get(place.address + "api/runs/\(place.run)")
    let fields = try JSON.object(Substring(run.body))
    let status = try JSON.object(Substring(try await printed("status")))
    #expect(fields["status"] as? NSDictionary == status as NSDictionary)
    let explained = try JSON.object(Substring(try await printed("explain")))
    #expect(fields["explain"] as? NSDictionary == explained as NSDictionary)
    let steps = try #require(fields["steps"] as? [[String: Any]])
    #expect(steps.map { $0["id"] as? String } == ["put"])
    let events = try await place.get(place.address + "api/runs/\(place.run)/history")
    #expect(events.body == (try await printed("history")))
    let item = try await place.get(place.address + "api/runs/\(place.run)/history?item=0/1")
    #expect(item.body == (try await printed("history", "0/1")))
    let page = try await place.get(
      place.address + "api/runs/\(place.run)/items?status=done&after=0/0&limit=1")
    #expect(page.body.contains(#""item":"0/1""#) && !page.body.contains(#""item":"0/2""#))
    let found = try await place.get(
      place.address + "api/runs/\(place.run)/items?match=FILE-0002")
    #expect(found.body.contains("file-0002.bin") && !found.body.contains("file-0001.bin"))
  }

  @Test func `an open page hears of each change, and of what it missed`() async throws {
    let place = try await Place()
    let stream = try place.scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["curl", "-sN", "--max-time", "600", place.address + "api/events"])
    try await stream.wait(for: "retry:")
    // The stream may be open before the first look at the runs.
    while !stream.output.contains("event: changed") {
      let again = try await place.scene.pipeline.run("rerun", "--quiet")
      #expect(again.status == 0, "\(again)")
    }
    #expect(stream.output.contains("id: 1\ndata: {\"run\":\"put-"), "\(stream.output)")
    let missed = try place.scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["curl", "-sN", "--max-time", "600", "-H", "Last-Event-ID: 0", place.address + "api/events"])
    try await missed.wait(for: "id: 1\n")
    let other = try place.scene.pipeline.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["curl", "-sN", "--max-time", "600", "-H", "Last-Event-ID: 99", place.address + "api/events"])
    try await other.wait(for: #"data: {"run":null}"#)
  }

  @Test func `a single file needs nothing else, and a file name is never markup`() async throws {
    let name = "<script>alert(1)<∕script>.bin"
    let place = try await Place(files: [name])
    let page = try await place.scene.pipeline.run("view", place.run, "--format", "html")
    #expect(page.status == 0, "\(page.error)")
    #expect(page.output.contains(#"<script type="application/json" id="data">"#))
    #expect(page.output.contains(#"\u003cscript>alert(1)"#) && !page.output.contains(name))
    for word in ["src=", "href=\"http", "import ", "export "] {
      #expect(page.output.ranges(of: "\n\(word)").isEmpty, "\(word)")
    }
    let all = try await place.scene.pipeline.run("view", "--format", "html")
    #expect(all.status == 64 && all.error.contains("--format html needs a run"), "\(all)")
  }

  @Test func `an address that others can reach needs a token of the user's own`() async throws {
    var scene = try Scene()
    let open = try await scene.pipeline.run("view", "--listen", "0.0.0.0:0")
    #expect(open.status == 64 && open.error.contains("PIPELINE_VIEW_TOKEN"), "\(open)")
    for text in ["8090", "host", "127.0.0.1:99999", ":80"] {
      let refused = try await scene.pipeline.run("view", "--listen", text)
      #expect(refused.status == 64 && refused.error.contains("expected an address"), "\(refused)")
    }
    scene.pipeline.environment["PIPELINE_VIEW_TOKEN"] = "short"
    let short = try await scene.pipeline.run("view")
    #expect(short.status == 64 && short.error.contains("at least 16"), "\(short)")
    scene.pipeline.environment["PIPELINE_VIEW_TOKEN"] = "a-token-of-my-own"
    let view = try scene.pipeline.start("view", "--listen", "0.0.0.0:0")
    try await view.wait(for: "/a-token-of-my-own/\n")
    view.signal(SIGINT)
    #expect(try await view.outcome().status == 0)
  }
}
