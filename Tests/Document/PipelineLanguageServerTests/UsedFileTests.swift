import CEL
import PipelineDocument
import PipelineLanguageServer
import Synchronization
import Testing

/// Files that documents use: in the editor, on disk, and changed on disk.
struct UsedFileTests {
  private static let folder = "/home/a/"
  private static let company = folder + "shared/company.yaml"

  /// A disk: texts by absolute path.
  private final class Disk: Sendable {
    let texts: Mutex<[String: String]>

    init(_ texts: [String: String]) { self.texts = Mutex(texts) }

    /// The files next to a document.
    func beside(_ file: String) -> DocumentFiles {
      let folder = String(file[...(file.lastIndex(of: "/") ?? file.startIndex)])
      @Sendable func absolute(_ path: String) -> String {
        var parts = folder.split(separator: "/")
        for part in path.split(separator: "/") {
          if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
      }
      return DocumentFiles(
        { [self] path in texts.withLock { $0[absolute(path)] }.map { Array($0.utf8) } },
        list: { [self] path in
          let folder = absolute(path) + "/"
          let names = texts.withLock { $0.keys.filter { $0.hasPrefix(folder) } }.map { name in
            let rest = name.dropFirst(folder.count)
            return rest.firstIndex(of: "/").map { String(rest[...$0]) } ?? String(rest)
          }
          return Array(Set(names))
        })
    }
  }

  private static func definitions(_ name: String) -> String {
    "definitions: company\nretry: { \(name): { attempts: 3 } }\n"
  }

  private static func pipeline(_ name: String, retry: String = "calm") -> String {
    "pipeline: \(name)\nuse: [shared/company.yaml]\nsteps:\n  - id: b\n"
      + "    request: { url: \"https://a.test\" }\n    retry: \(retry)\n"
  }

  /// A server with the files of a disk; returns the codes of the findings that were sent last.
  private struct Client {
    var server: LanguageServer
    var codes: [String: [String]] = [:]
    var requests: [String] = []

    init(_ disk: Disk, _ capabilities: Value = .visualStudioCode) {
      server = LanguageServer(version: "test", files: { disk.beside($0) })
      _ = ask("initialize", ["capabilities": capabilities])
      notify("initialized", [:])
    }

    mutating func ask(
      _ method: String, _ params: Value
    ) -> Result<Value, ResponseError>? {
      let messages = server.receive([.success(.request(.number(1), method: method, params: params))]
      )
      for case .response(_, let result) in messages { return result }
      return nil
    }

    mutating func notify(_ method: String, _ params: Value) {
      for message in server.receive([.success(.notification(method: method, params: params))]) {
        switch message {
        case .notification(_, let params):
          codes[params["uri"]?.stringValue ?? ""] = params["diagnostics"]?.listValue?
            .compactMap { $0["code"]?.stringValue }
        case .request(_, let method, _): requests.append(method)
        case .response: continue
        }
      }
    }

    mutating func open(_ path: String, _ text: String) {
      notify(
        "textDocument/didOpen",
        ["textDocument": ["uri": .string("file://" + path), "version": 1, "text": .string(text)]])
    }
  }

  private static let user = "file:///home/a/a.yaml"

  @Test func `a file that changes on disk is read again, unless it is open`() {
    let disk = Disk([Self.company: Self.definitions("calm")])
    var client = Client(disk)
    client.open(Self.folder + "a.yaml", Self.pipeline("a"))
    #expect(client.codes[Self.user] == [])
    func change(_ uri: String = "file://" + Self.company) {
      client.notify(
        "workspace/didChangeWatchedFiles", ["changes": [["uri": .string(uri), "type": 2]]])
    }
    disk.texts.withLock { $0[Self.company] = Self.definitions("other") }
    #expect(client.codes[Self.user] == [])
    change("file:///home/a/unrelated.yaml")
    #expect(client.codes[Self.user] == [])
    change()
    #expect(client.codes[Self.user]?.isEmpty == false)
    client.open(Self.company, Self.definitions("calm"))
    #expect(client.codes[Self.user] == [])
    change()
    #expect(client.codes[Self.user] == [])
  }

  @Test func `the editor's version no longer counts once it is closed`() {
    let disk = Disk([Self.company: Self.definitions("other")])
    var client = Client(disk)
    client.open(Self.company, Self.definitions("calm"))
    client.open(Self.folder + "a.yaml", Self.pipeline("a"))
    #expect(client.codes[Self.user] == [])
    client.notify(
      "textDocument/didClose", ["textDocument": ["uri": .string("file://" + Self.company)]])
    #expect(client.codes[Self.user]?.isEmpty == false)
  }

  @Test func `an editor that can watch files is asked to, another is not`() {
    #expect(Client(Disk([:])).requests == [])
    let watching: Value = [
      "workspace": ["didChangeWatchedFiles": ["dynamicRegistration": true]]
    ]
    #expect(Client(Disk([:]), watching).requests == ["client/registerCapability"])
  }

  private static func rename(_ name: String) -> Value {
    [
      "textDocument": ["uri": .string("file://" + company)],
      "position": ["line": 1, "character": 9], "newName": .string(name),
    ]
  }

  @Test func `a name of definitions is renamed in all files that use them`() throws {
    let disk = Disk([
      Self.folder + "b.yaml": Self.pipeline("b"),
      Self.folder + "other.yaml": Self.pipeline("c").replacing("company", with: "else"),
      Self.folder + "deep/c.yaml": Self.pipeline("d").replacing("shared/", with: "../shared/"),
      Self.company: Self.definitions("calm"),
    ])
    for capabilities: Value in [.visualStudioCode, [:]] {
      var client = Client(disk, capabilities)
      client.open(Self.company, Self.definitions("calm"))
      // The editor's text counts, not the file on disk.
      client.open(Self.folder + "a.yaml", "\n" + Self.pipeline("a"))
      let edit = try #require(try client.ask("textDocument/rename", Self.rename("slow"))?.get())
      var lines: [String: Int] = [:]
      for change in edit["documentChanges"]?.listValue ?? [] {
        lines[change["textDocument", "uri"]?.stringValue ?? ""] =
          change["edits"]?.listValue?.first?["range", "start", "line"]?.int
      }
      for (uri, edits) in edit["changes"]?.mapValue ?? MapValue() {
        lines[uri.stringValue ?? ""] = edits.listValue?.first?["range", "start", "line"]?.int
      }
      #expect(
        lines == [
          "file:///home/a/shared/company.yaml": 1, "file:///home/a/a.yaml": 6,
          "file:///home/a/b.yaml": 5, "file:///home/a/deep/c.yaml": 5,
        ])
    }
  }

  @Test func `a name that a user of definitions has already is refused`() {
    let disk = Disk([Self.company: Self.definitions("calm")])
    var client = Client(disk)
    client.open(Self.company, Self.definitions("calm"))
    client.open(Self.folder + "a.yaml", Self.pipeline("a") + "retry: { slow: { attempts: 2 } }\n")
    guard case .failure(let error)? = client.ask("textDocument/rename", Self.rename("slow")) else {
      Issue.record("the name was taken")
      return
    }
    #expect(error.message.contains("already a retry policy 'slow'"))
  }
}
