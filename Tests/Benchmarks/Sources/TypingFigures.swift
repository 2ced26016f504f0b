import CEL
import Foundation
import PipelineLanguageServer
import Synchronization

/// An hour of typing in a long document, over the whole loop of the language server: bytes in, bytes out.
///
/// Someone types pieces of text at random places and deletes them again, ten keys at a time, 30 ms apart, which is faster than
/// anyone types. Most states in between are not valid. After each burst the editor asks for completions,
/// and the next starts when the diagnostics for the last key have arrived.
enum TypingFigures {
  static func print(lines: Int, keys: Int) throws {
    var session = TypingSession(TypingText.document(lines: lines), keys: keys)
    let arrivals = Arrivals()
    let loop = LanguageServerLoop(version: "benchmark", write: { arrivals.take($0) })
    let start = processorTime(CLOCK_PROCESS_CPUTIME_ID)
    var thread: [Double] = []
    var threadBefore = 0.0
    var busy: [TypingSession.Kind: [Double]] = [:]
    var waits: [Double] = []
    var checksBefore = 0
    var last: (kind: TypingSession.Kind, instant: ContinuousClock.Instant)?
    let clock = ContinuousClock()
    _ = loop.run { () -> [UInt8] in
      if let last {
        busy[last.kind, default: []].append(Self.milliseconds(clock.now - last.instant))
        let spent = processorTime(CLOCK_THREAD_CPUTIME_ID) - threadBefore
        if last.kind == .key { thread.append(spent * 1000) }
      }
      if let version = session.awaited {
        let begin = clock.now
        arrivals.wait(for: version)
        if case .completion? = last?.kind { waits.append(Self.milliseconds(clock.now - begin)) }
        if version == 1 { checksBefore = arrivals.count }
      }
      guard let next = session.next() else { return [] }
      if next.kind == .key { Thread.sleep(forTimeInterval: 0.03) }
      last = (next.kind, clock.now)
      threadBefore = processorTime(CLOCK_THREAD_CPUTIME_ID)
      return next.bytes
    }
    let used = processorTime(CLOCK_PROCESS_CPUTIME_ID) - start
    Swift.print("document: \(session.lineCount) lines, \(session.byteCount) bytes; \(keys) keys")
    row("loop per key", busy[.key] ?? [])
    row("processor time of the loop per key", thread)
    row("completion after a burst", busy[.completion] ?? [])
    row("diagnostics after a burst", waits)
    let checks = arrivals.count - checksBefore
    Swift.print(
      "checks that were sent: \(checks); processor time: \(format(used * 1000 / Double(keys))) ms per key, "
        + "of the whole process with all checks and completions")
  }

  private static func row(_ name: String, _ values: [Double]) {
    let sorted = values.sorted()
    guard let largest = sorted.last else { return }
    let high = sorted[min(sorted.count - 1, sorted.count * 99 / 100)]
    Swift.print(
      "\(name): median \(format(median(values))) ms, 99 % \(format(high)) ms, most \(format(largest)) ms"
    )
  }

  private static func format(_ number: Double) -> String { String(format: "%.2f", number) }

  private static func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1000 + Double(duration.components.attoseconds) * 1e-15
  }

  /// Seconds of processor time of this process, of all threads, or of this thread.
  private static func processorTime(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// The diagnostics that have arrived.
private final class Arrivals: Sendable {
  private let state = Mutex((version: 0, count: 0))
  private let signal = DispatchSemaphore(value: 0)

  var count: Int { state.withLock { $0.count } }

  /// Reads the version at the end of a message with diagnostics: the members of messages are sorted.
  func take(_ bytes: [UInt8]) -> Bool {
    let tail = String(decoding: bytes.suffix(40), as: UTF8.self)
    guard let mark = tail.firstRange(of: "\"version\":"),
      let version = Int(tail[mark.upperBound...].prefix { $0.isNumber })
    else { return true }
    state.withLock { state in
      state.version = max(state.version, version)
      state.count += 1
    }
    signal.signal()
    return true
  }

  func wait(for version: Int) {
    while state.withLock({ $0.version < version }) { signal.wait() }
  }
}

/// The messages of an editor in which someone types.
private struct TypingSession {
  enum Kind: Hashable { case other, key, completion }

  private static let uri = "file:///typing.yaml"
  private static let burst = 10

  private let text: String
  private let lines: [Substring]
  private var keys: Int
  private var version = 1
  private var started = 0
  private var random: UInt64 = 7
  /// The characters to type, and the places before the typed ones.
  private var pending: [Character] = []
  private var typed: [(line: Int, character: Int)] = []
  private var place = (line: 0, character: 0)
  private var inBurst = 0
  /// The version whose diagnostics the next message waits for.
  private(set) var awaited: Int?

  var lineCount: Int { lines.count }
  var byteCount: Int { text.utf8.count }

  init(_ text: String, keys: Int) {
    self.text = text
    self.keys = keys
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  mutating func next() -> (kind: Kind, bytes: [UInt8])? {
    awaited = nil
    started += 1
    switch started {
    case 1:
      let support: Value = ["publishDiagnostics": ["versionSupport": true]]
      return (
        .other,
        request("initialize", ["capabilities": ["textDocument": support]])
      )
    case 2:
      awaited = 1
      return (
        .other,
        notification(
          "textDocument/didOpen",
          [
            "textDocument": [
              "uri": .string(Self.uri), "languageId": "yaml", "version": 1, "text": .string(text),
            ]
          ])
      )
    default:
      if inBurst == Self.burst {
        inBurst = 0
        awaited = version
        return (.completion, request("textDocument/completion", position))
      }
      guard keys > 0 else { return nil }
      keys -= 1
      inBurst += 1
      return (.key, key())
    }
  }

  /// The next key: a character of a piece, or a backspace once a piece is complete.
  private mutating func key() -> [UInt8] {
    if pending.isEmpty, typed.isEmpty { begin() }
    version += 1
    let start = place
    var end = place
    var written = ""
    if let character = pending.popLast() {
      typed.append(place)
      written = String(character)
      place =
        character == "\n"
        ? (place.line + 1, 0) : (place.line, place.character + written.utf16.count)
    } else if let before = typed.popLast() {
      end = start
      place = before
    }
    let from = written.isEmpty ? place : start
    return notification(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(Self.uri), "version": Value(version)],
        "contentChanges": [
          [
            "range": ["start": Self.json(from), "end": Self.json(end)], "text": .string(written),
          ]
        ],
      ])
  }

  private mutating func begin() {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let number = Int(random >> 33)
    let line = number % lines.count
    place = (line, lines[line].utf16.count)
    pending = Array(TypingText.pieces[number % TypingText.pieces.count].reversed())
  }

  private static func json(_ place: (line: Int, character: Int)) -> Value {
    ["line": Value(place.line), "character": Value(place.character)]
  }

  private var position: Value {
    ["textDocument": ["uri": .string(Self.uri)], "position": Self.json(place)]
  }

  private func request(_ method: String, _ params: Value) -> [UInt8] {
    FrameReader.frame(Message.request(.number(started), method: method, params: params).bytes)
  }

  private func notification(_ method: String, _ params: Value) -> [UInt8] {
    FrameReader.frame(Message.notification(method: method, params: params).bytes)
  }
}

/// The content of the document, and the text typed into it.
private enum TypingText {
  static let pieces = [
    " # 🙂 to do", "\n        if: ${{ inputs.server != \"🙂", "\n  - id: neu\n    request: { url: ",
    " \"é 漢 🙂", "\n            json: { name: \"${{ photo.name + ", "\n- [", ": x: y",
  ]

  /// A pipeline without findings, with loops of four steps.
  static func document(lines: Int) -> String {
    var text = """
      pipeline: typing
      description: "Long, with emoji 🙂 in it."
      inputs:
        server: { type: url }
        photos: { type: files }
      steps:

      """
    var count = 7
    var loop = 0
    while count + 40 <= lines {
      let block = self.loop(loop)
      text += block
      count += block.utf8.count { $0 == 0x0A }
      loop += 1
    }
    return text
  }

  private static func loop(_ number: Int) -> String {
    """
      # 🙂 loop \(number)
      - for_each: photo_\(number)
        in: ${{ inputs.photos }}
        concurrency: 4
        steps:
          - id: allocate_\(number)
            description: "Reserves an ID 🙂"
            request:
              method: POST
              url: ${{ inputs.server + "/v1/uploads" }}
              json:
                name: ${{ photo_\(number).name }}
                size: ${{ photo_\(number).size }}
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs:
              upload_id: ${{ string(response.json.id) }}
          - id: body_\(number)
            materialize:
              text: "é 漢 🙂 ${{ photo_\(number).name }}"
          - id: upload_\(number)
            upload:
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate_\(number).upload_id }}
              file: ${{ steps.body_\(number).file }}
            on:
              - if: ${{ response.status == 404 }}
                expired: allocate_\(number)
          - id: finalize_\(number)
            request:
              method: POST
              url: ${{ inputs.server + "/v1/uploads/" + steps.allocate_\(number).upload_id + "/end" }}
            effect: create
            idempotency: { header: Idempotency-Key }

    """
  }
}
