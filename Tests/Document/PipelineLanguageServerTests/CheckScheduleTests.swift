import CEL
@testable import PipelineLanguageServer
import Dispatch
import Synchronization
import Testing

/// Checks off the path of typing.
struct CheckScheduleTests {
  @Test func `the first change is checked at once`() {
    var schedule = CheckSchedule()
    #expect(schedule.change() == .zero)
    #expect(schedule.isDue(1))
  }

  @Test func `a change waits for twice the time of a check, half a second at most`() {
    var schedule = CheckSchedule()
    schedule.finish(.milliseconds(40))
    #expect(schedule.change() == .milliseconds(80))
    schedule.finish(.seconds(9))
    #expect(schedule.change() == .milliseconds(500))
  }

  @Test func `a change is not due once another has come`() {
    var schedule = CheckSchedule()
    _ = schedule.change()
    _ = schedule.change()
    #expect(!schedule.isDue(1))
    #expect(schedule.isDue(2))
  }

  private static func change(_ version: Int, _ text: String) -> Message {
    .notification(
      method: "textDocument/didChange",
      params: [
        "textDocument": ["uri": .string(Editor.uri), "version": Value(version)],
        "contentChanges": [["text": .string(text)]],
      ])
  }

  private static func server() -> LanguageServer {
    var server = LanguageServer(version: "test")
    _ = server.answers(to: [
      .success(
        .request(.number(1), method: "initialize", params: ["capabilities": .visualStudioCode])),
      .success(
        .notification(
          method: "textDocument/didOpen",
          params: [
            "textDocument": ["uri": .string(Editor.uri), "version": 1, "text": "pipelin: a\n"]
          ])),
    ])
    return server
  }

  @Test func `without documents there is nothing to check`() {
    var server = LanguageServer(version: "test")
    #expect(!server.hasChecks)
    #expect(server.nextCheck() == nil)
  }

  @Test func `the outcome for a text that has changed is not sent`() throws {
    var server = Self.server()
    let first = server.nextCheck()
    let old = try #require(first)
    #expect(server.nextCheck() == nil)
    #expect(server.answers(to: [.success(Self.change(2, "pipeline: a\n"))]) == [])
    #expect(server.finish(old.run()) == [])
    let second = server.nextCheck()
    let new = try #require(second)
    let messages = server.finish(new.run())
    #expect(messages.count == 1)
    guard case .notification(_, let params)? = messages.first else { return }
    #expect(params["version"] == 2)
    #expect(!server.hasChecks)
  }

  @Test func `the outcome for a document that was closed is not sent`() throws {
    var server = Self.server()
    let next = server.nextCheck()
    let check = try #require(next)
    _ = server.answers(to: [
      .success(
        .notification(
          method: "textDocument/didClose",
          params: ["textDocument": ["uri": .string(Editor.uri)]]))
    ])
    #expect(server.finish(check.run()) == [])
    #expect(!server.hasChecks)
  }

  /// The output of a loop.
  private final class Output: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    private let written = DispatchSemaphore(value: 0)

    func take(_ new: [UInt8]) -> Bool {
      bytes.withLock { $0 += new }
      written.signal()
      return true
    }

    /// The bodies so far, once one of them contains a text.
    func wait(for text: String) -> [String] {
      while true {
        var reader = FrameReader()
        reader.append(bytes.withLock { $0 })
        var bodies: [String] = []
        while case .body(let body)? = reader.next() {
          bodies.append(String(decoding: body, as: UTF8.self))
        }
        if bodies.contains(where: { $0.contains(text) }) { return bodies }
        written.wait()
      }
    }
  }

  private static func frames(_ messages: Message...) -> [UInt8] {
    messages.flatMap { FrameReader.frame($0.bytes) }
  }

  @Test func `a loop responds, checks in parallel, and ends with the editor's exit`() {
    let output = Output()
    let loop = LanguageServerLoop(version: "test", write: { output.take($0) })
    var steps: [() -> [UInt8]] = [
      {
        Self.frames(
          .request(.number(1), method: "initialize", params: ["capabilities": .visualStudioCode]),
          .notification(
            method: "textDocument/didOpen",
            params: [
              "textDocument": ["uri": .string(Editor.uri), "version": 1, "text": "pipelin: a\n"]
            ]))
      },
      {
        #expect(output.wait(for: "\"version\":1}").contains { $0.contains("unknown-key") })
        return Self.frames((2...9).map { Self.change($0, "pipeline: a\n# \($0)") })
      },
      {
        _ = output.wait(for: "\"version\":9}")
        return Self.frames(
          .request(.string("é"), method: "shutdown", params: .null),
          .notification(method: "exit", params: .null))
      },
    ]
    let status = loop.run { steps.isEmpty ? [] : steps.removeFirst()() }
    #expect(status == 0)
    #expect(output.wait(for: "\"id\":\"é\"").count >= 4)
  }

  private static func frames(_ messages: [Message]) -> [UInt8] {
    messages.flatMap { FrameReader.frame($0.bytes) }
  }

  @Test func `a loop whose stream ends has no status`() {
    let loop = LanguageServerLoop(version: "test", write: { _ in true })
    #expect(loop.run { [] } == nil)
  }

  @Test func `a loop ends when the editor no longer reads`() {
    let loop = LanguageServerLoop(version: "test", write: { _ in false })
    var reads = 0
    let status = loop.run {
      reads += 1
      return Self.frames(.request(.number(1), method: "shutdown", params: .null))
    }
    #expect(status == nil)
    #expect(reads == 1)
  }
}
