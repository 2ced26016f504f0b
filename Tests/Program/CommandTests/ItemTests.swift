import Foundation
import TestSupport
import Testing

/// Items by the names that users have for them.
struct ItemTests {
  private static let definition = """
    pipeline: p
    inputs:
      server: { type: url }
      files: { type: files, default: "in/**" }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: token
            request: { method: PUT, url: "${{ inputs.server }}/v1/files/t-${{ string(item.index) }}", text: "x" }
            outputs: { key: { value: hush-hush, secret: true } }
          - id: put
            upload: { method: PUT, url: "${{ inputs.server }}/v1/files/${{ urlEscape(file.relative) }}", file: "${{ file }}" }
            depends_on: [token]
            on: [{ if: "${{ file.size == 3 }}", then: fail, message: "three bytes, ${{ file.name }}" }]
            outputs: { status: "${{ response.status }}", name: "${{ file.relative }}" }

    """

  /// `upload_id` has expired when `put` needs it: each response takes 700 ms.
  private static let expiring = """
    pipeline: p
    inputs:
      server: { type: url }
      files: { type: files, default: "files/*.bin" }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: allocate
            request: { method: PUT, url: "${{ inputs.server }}/v1/files/a-${{ file.name }}", text: "x" }
            outputs: { upload_id: { value: "${{ response.json.name }}", expires: { in: 1s, skew: 10ms } } }
          - id: other
            request: { method: PUT, url: "${{ inputs.server }}/v1/files/b-${{ file.name }}", text: "x" }
          - id: put
            upload: { method: PUT, url: "${{ inputs.server }}/v1/files/${{ steps.allocate.upload_id }}-c", file: "${{ file }}" }
            on: [{ if: "${{ response.status == 404 }}", expired: allocate }]

    """

  /// A finished run with seven items, of which those with three bytes have failed.
  private func scene() async throws -> Scene {
    let scene = try Scene()
    try scene.directory.write(Self.definition, to: "p.yaml")
    for (name, text) in [
      ("x/IMG_1.jpg", "1"), ("y/IMG_1.jpg", "22"), ("x/bad.jpg", "333"), ("y/bad.txt", "333"),
      ("-dash.jpg", "1"), ("q\"uote,\n.jpg", "1"), ("🦫.jpg", "1"),
    ] {
      try scene.directory.write(text, to: "in/" + name)
    }
    let server = try await scene.server()
    let run = try await scene.pipeline.run("run", "p.yaml", "--input", "server=\(server.url)")
    #expect(run.status == 1, "\(run)")
    return scene
  }

  @Test
  func `a name that means several items lists them, and one that means none names the nearest`()
    async throws
  {
    let scene = try await scene()
    for command in ["explain", "history", "retry"] {
      let several = try await scene.pipeline.run(command, "IMG_1.jpg")
      #expect(several.status == 2, "\(several)")
      #expect(several.error.contains("'IMG_1.jpg' means 2 items of run 'p-"), "\(several)")
      #expect(
        several.error.contains(/\n  0\/\d  x\/IMG_1.jpg: done\n  0\/\d  y\/IMG_1.jpg: done\n/))
      let none = try await scene.pipeline.run(command, try scene.runName(), "IMG_2.jpg")
      #expect(none.status == 2, "\(none)")
      #expect(none.error.contains("has no item called 'IMG_2.jpg'"), "\(none)")
      #expect(none.error.contains(/did you mean 'IMG_1.jpg' \(0\/\d\)\?/), "\(none)")
      let neither = try await scene.pipeline.run(command, "nothing-like-it")
      #expect(neither.status == 2, "\(neither)")
      #expect(neither.error.contains("no run is called 'nothing-like-it' in "), "\(neither)")
      #expect(neither.error.contains(", and run 'p-"), "\(neither)")
    }
  }

  @Test(arguments: [
    "bad.jpg", "x/bad.jpg", "in/x/bad.jpg", "./in/x/bad.jpg",
  ])
  func `an item is its file's name, place or path`(name: String) async throws {
    let scene = try await scene()
    let name = name.hasPrefix("./") ? scene.directory.path(String(name.dropFirst(2))) : name
    let explain = try await scene.pipeline.run("explain", name)
    #expect(explain.status == 0, "\(explain)")
    #expect(
      explain.output.contains(/^0\/\d in\/x\/bad.jpg: failed: three bytes, bad.jpg\n/), "\(explain)"
    )
    let history = try await scene.pipeline.run(
      "history", try scene.runName(), name, "--format", "json")
    #expect(history.status == 0, "\(history)")
    #expect(history.output.split(separator: "\n").count == 3, "\(history)")
  }

  @Test func `odd names are names too`() async throws {
    let scene = try await scene()
    for name in ["q\"uote,\n.jpg", "🦫.jpg"] {
      let explain = try await scene.pipeline.run("explain", name)
      #expect(explain.status == 0 && explain.output.contains(": done\n"), "\(explain)")
    }
    let dash = try await scene.pipeline.run("explain", "--", "-dash.jpg")
    #expect(dash.status == 0 && dash.output.contains("-dash.jpg: done"), "\(dash)")
  }

  @Test func `items prints tables, JSON and CSV with server names and no secrets`() async throws {
    let scene = try await scene()
    let table = try await scene.pipeline.run("items")
    #expect(table.status == 0, "\(table)")
    #expect(table.output.hasPrefix("ITEM  STATUS  TRIES  MOVED  TIME"), "\(table)")
    #expect(table.output.split(separator: "\n").count == 8, "\(table)")
    #expect(
      table.output.contains(
        /\n0\/\d   done    2      2 B    \S+ s  y\/IMG_1.jpg +put.name=y\/IMG_1.jpg, put.status=201\n/
      ), "\(table)")
    let json = try await scene.pipeline.run("items", "--format", "json")
    let rows = try JSON.array(json.output)
    #expect(rows.count == 7)
    let one = rows.first { $0["name"] as? String == "y/IMG_1.jpg" }
    #expect(one?["status"] as? String == "done")
    #expect(one?["attempts"] as? Int == 2)
    #expect(one?["bytes_moved"] as? Int == 2)
    #expect((one?["seconds"] as? Double).map { $0 >= 0 } == true)
    let outputs = one?["outputs"] as? [String: [String: Any]]
    #expect(outputs?["put"]?["status"] as? Int == 201)
    #expect(outputs?["token"] == nil)
    let csv = try await scene.pipeline.run("items", "--format", "csv")
    #expect(
      csv.output.hasPrefix(
        "item,name,status,http_status,attempts,bytes_moved,seconds,reason,outputs\n"))
    #expect(csv.output.contains(#","q""uote,"# + "\n" + #".jpg",done,"#), "\(csv)")
    for text in [table.output, json.output, csv.output] { #expect(!text.contains("hush")) }
  }

  @Test func `items are chosen by state, cause and name`() async throws {
    let scene = try await scene()
    func names(_ arguments: String...) async throws -> [String] {
      let list = try await scene.pipeline.run(["items", "--format", "json"] + arguments)
      #expect(list.status == 0, "\(list)")
      return try JSON.array(list.output).compactMap { $0["name"] as? String }.sorted()
    }
    #expect(try await names("--status", "failed") == ["x/bad.jpg", "y/bad.txt"])
    #expect(try await names("--status", "failed", "--match", "*.jpg") == ["x/bad.jpg"])
    #expect(try await names("--match", "x/**") == ["x/IMG_1.jpg", "x/bad.jpg"])
    #expect(try await names("--cause", "Three bytes") == ["x/bad.jpg", "y/bad.txt"])
    #expect(try await names("--cause", "201") == ["x/bad.jpg", "y/bad.txt"])
    #expect(try await names("--cause", "403") == [])
    #expect(try await names("--status", "paused") == [])
    #expect(try await names("--limit", "2").count == 2)
    let bad = try await scene.pipeline.run("items", "--match", "{a")
    #expect(bad.status == 64, "\(bad)")
  }

  @Test func `a list that is cut reports the number of left-out items, if it is known`()
    async throws
  {
    let scene = try await scene()
    func last(_ arguments: String...) async throws -> String? {
      let list = try await scene.pipeline.run(["items", "--limit", "1"] + arguments)
      #expect(list.status == 0, "\(list)")
      return list.output.split(separator: "\n").last.map(String.init)
    }
    #expect(try await last() == "and 6 more; --limit shows them")
    #expect(try await last("--status", "failed") == "and 1 more; --limit shows them")
    #expect(try await last("--match", "x/**") == "and more; --limit shows them")
    #expect(try await last("--match", "x/bad.jpg")?.contains("more") == false)
    let json = try await scene.pipeline.run("items", "--limit", "0", "--format", "json")
    #expect(json.output == "[]\n", "\(json)")
  }

  @Test func `retry touches only the selected items`() async throws {
    let scene = try await scene()
    let none = try await scene.pipeline.run("retry", "--failed", "--cause", "403")
    #expect(none.status == 0)
    #expect(none.output.contains("no paused or failed item matches"), "\(none)")
    let some = try await scene.pipeline.run(
      "retry", "--failed", "--cause", "201", "--match", "*.jpg")
    #expect(some.status == 1, "\(some)")
    let rows = try JSON.array(
      try await scene.pipeline.run("items", "--status", "failed", "--format", "json").output)
    let attempts = Dictionary(
      uniqueKeysWithValues: rows.map { ($0["name"] as? String ?? "", $0["attempts"] as? Int ?? 0) })
    #expect(attempts["y/bad.txt"] == 2)
    #expect(attempts["x/bad.jpg"].map { $0 > 2 } == true, "\(attempts)")
  }

  @Test(arguments: ["report.json", "report.csv"])
  func `a run leaves the outcome of each item in a file`(name: String) async throws {
    let scene = try Scene()
    try scene.directory.write(Self.definition, to: "p.yaml")
    try scene.directory.write("1", to: "in/a b")
    try scene.directory.write("333", to: "in/bad")
    let server = try await scene.server()
    let nowhere = try await scene.pipeline.run(
      "run", "p.yaml", "--input", "server=\(server.url)", "--report", "none/\(name)")
    #expect(nowhere.status == 2 && nowhere.error.contains("--report 'none/\(name)'"), "\(nowhere)")
    #expect(try await scene.pipeline.run("runs").output.hasPrefix("no runs"))
    let run = try await scene.pipeline.run(
      "run", "p.yaml", "--input", "server=\(server.url)", "--report", name)
    #expect(run.status == 1, "\(run)")
    let text = try String(contentsOfFile: scene.directory.path(name), encoding: .utf8)
    #expect(!text.contains("hush"))
    if name.hasSuffix(".csv") {
      let list = try await scene.pipeline.run("items", "--format", "csv")
      #expect(text == list.output)
    } else {
      let form = try JSON.object(text)
      #expect(form["status"] as? String == "finished")
      #expect(
        (form["each"] as? [[String: Any]])?.compactMap { $0["name"] as? String } == ["a b", "bad"])
    }
    #expect(!FileManager.default.fileExists(atPath: scene.directory.path(name + ".part")))
  }

  @Test func `a repeated step shows the reason`() async throws {
    let scene = try Scene()
    try scene.files(2)
    try scene.directory.write(Self.expiring, to: "p.yaml")
    let server = try await scene.server("--latency", "700ms")
    let run = try await scene.pipeline.run("run", "p.yaml", "--input", "server=\(server.url)")
    #expect(run.status == 0, "\(run)")
    let history = try await scene.pipeline.run("history")
    let again = history.output.split(separator: "\n").filter { $0.contains("(again, because ") }
    #expect(!again.isEmpty, "\(history)")
    for line in again {
      #expect(line.contains("(again, because 'upload_id' expired after 1.0 s)"), "\(line)")
    }
    // Twice in all, or more often where the machine is slower than the second that an ID is valid.
    let names = server.journal.compactMap(\.name)
    let allocations = names.count { $0.hasPrefix("a-") && !$0.hasSuffix("-c") }
    #expect(again.count >= 2 && again.count == allocations - 2, "\(history)")
    let json = try await scene.pipeline.run("history", "--format", "json")
    #expect(json.output.contains(#""again":"#))
  }
}
