import Testing

/// A situation in which a run waits, made by its pipeline and by the gate's treatment of its requests.
struct WaitSituation: Sendable, CustomTestStringConvertible {
  let name: String
  let pipeline: String
  /// Rules of the gate in addition to ``gate``.
  var rules: [String] = []
  /// What waits, what kind of thing it waits for, and that in words.
  let subject, kind, words: String
  /// The message of the last failure, if there is one.
  var failure: String?
  /// `budgets.transfers`.
  var transfers = 1

  var testDescription: String { name }

  /// `/hold` is never answered, `/lose` loses the response, and so on.
  static let gate = [
    #"{"match": "/hold", "do": "hold"}"#, #"{"match": "/lose", "do": "lose"}"#,
    #"{"match": "/503", "do": "answer", "status": 503}"#,
    #"{"match": "/403", "do": "answer", "status": 403}"#,
    #"{"match": "/429", "do": "answer", "status": 429, "headers": {"Retry-After": "3000"}}"#,
    #"{"match": "/ok", "do": "answer", "status": 200, "json": {"ready": false, "token": "t"}}"#,
  ]

  static let all = attempts + special

  /// Each way in which an attempt can wait, for each kind of frame that it can belong to.
  private static let attempts: [WaitSituation] = actions.flatMap { action in
    Scope.allCases.compactMap { scope in
      action.needsFile && scope == .run
        ? nil
        : WaitSituation(
          name: "\(action.name), \(scope)", pipeline: scope.pipeline(action.step),
          subject: scope.subject, kind: action.kind, words: action.words, failure: action.failure)
    }
  }

  private enum Scope: CaseIterable {
    case run, item, part, turn

    var subject: String {
      switch self {
      case .run: "step 'x'"
      case .item, .turn: "files/a.txt"
      case .part: "files/a.txt part 1"
      }
    }

    func pipeline(_ step: String) -> String {
      let indented = { (columns: Int) in
        String(repeating: " ", count: columns) + "- { id: x, \(step) }\n"
      }
      return switch self {
      case .run: indented(2) + WaitSituation.loop("- { id: last, request: { url: '$S/ok' } }")
      case .item: WaitSituation.loop(indented(6))
      case .part:
        WaitSituation.loop(
          "- id: all\n        for_each: part\n        in: '${{ parts(file.size, {\"size\": 1, \"max_count\": 3, \"last\": \"merge\"}) }}'\n"
            + "        concurrency: 1\n        steps:\n" + indented(10))
      case .turn:
        WaitSituation.loop(
          "- id: all\n        repeat:\n          from: { n: 0 }\n          until: ${{ steps.all.n == 3 }}\n          steps:\n"
            + indented(12) + "          next: { n: '${{ steps.all.n + 1 }}' }\n")
      }
    }
  }

  private struct Action {
    let name, step, kind, words: String
    var failure: String?
    var needsFile = false
  }

  private static let actions = [
    Action(
      name: "a request without a response", step: "request: { url: '$S/hold', timeout: 2h }",
      kind: "attempt",
      words: "response to 'x'"),
    Action(
      name: "an upload without a response",
      step: "upload: { url: '$S/hold', file: '${{ file }}' }", kind: "attempt",
      words: "transfer of 'x'", needsFile: true),
    Action(
      name: "a download without a response",
      step: "download: { url: '$S/hold', max_size: 500 B, request_timeout: 2h }", kind: "attempt",
      words: "transfer of 'x'"),
    Action(
      name: "a poll without a response",
      step:
        "poll: { url: '$S/hold', timeout: 2h, until: '${{ response.json.ready }}', deadline: 1h }",
      kind: "attempt", words: "response to 'x'"),
    Action(
      name: "a poll of what is not ready",
      step: "poll: { url: '$S/ok', until: '${{ response.json.ready }}', every: 50m, deadline: 1d }",
      kind: "delay", words: "next question of 'x'"),
    Action(
      name: "a refused connection", step: "request: { url: 'http://127.0.0.1:1/' }", kind: "delay",
      words: "back-off of 'x'", failure: "refused"),
    Action(
      name: "a busy server", step: "request: { url: '$S/503' }", kind: "delay",
      words: "back-off of 'x'", failure: "503"),
    Action(
      name: "a server with Retry-After", step: "request: { url: '$S/429' }", kind: "delay",
      words: "back-off of 'x'", failure: "429"),
    Action(
      name: "a probe without a response",
      step:
        "request: { method: POST, url: '$S/lose' }, effect: create, retry: quick, probe: { request: { url: '$S/hold', timeout: 2h }, "
        + "took_effect: '${{ response.status == 200 }}' }", kind: "probe", words: "probe of 'x'"),
  ]

  private static let special = [
    WaitSituation(
      name: "items behind a run-level step",
      pipeline: "  - { id: x, request: { url: '$S/503' } }\n"
        + loop("- { id: last, request: { url: '$S/ok' } }"),
      subject: "3 items", kind: "dependency", words: "back-off of 'x'", failure: "503"),
    WaitSituation(
      name: "items behind busy ones",
      pipeline: loop("- { id: x, request: { url: '$S/hold', timeout: 2h } }"),
      subject: "1 item", kind: "concurrency", words: "response to 'x'"),
    WaitSituation(
      name: "items of a second loop",
      pipeline: loop("- { id: x, request: { url: '$S/hold', timeout: 2h } }")
        + loop("- { id: y, request: { url: '$S/ok' } }").replacing(
          "for_each: file", with: "for_each: other"),
      subject: "3 items", kind: "items", words: "response to 'x'"),
    WaitSituation(
      name: "a rate",
      pipeline: loop("- { id: x, request: { url: '$S/ok', rate: slow } }\n"),
      subject: "files/b.txt", kind: "rate", words: "the rate 'slow'"),
    WaitSituation(
      name: "a transfer slot",
      pipeline: loop("- { id: x, upload: { url: '$S/hold', file: '${{ file }}' } }"),
      subject: "files/b.txt", kind: "transfers", words: "a free transfer slot"),
    WaitSituation(
      name: "the disk budget",
      pipeline: loop(
        "- { id: x, download: { url: '$S/hold', max_size: 500 B, request_timeout: 2h } }"),
      subject: "files/b.txt", kind: "disk", words: "disk budget", transfers: 9),
    WaitSituation(
      name: "an earliest start",
      pipeline: loop("- { id: x, upload: { url: '$S/ok', file: '${{ file }}', earliest: 50m } }"),
      subject: "files/a.txt", kind: "earliest", words: "earliest start of 'x'"),
    WaitSituation(
      name: "a compensation without a response",
      pipeline: loop(
        "- { id: m, request: { method: POST, url: '$S/ok' }, effect: repeatable, outputs: { t: '${{ response.json.token }}' } }\n"
          + "      - { id: x, request: { url: '$S/403' }, depends_on: [m] }\n"
          + "    on_abandon: [{ request: { method: DELETE, url: '$S/hold/${{ steps.m.t }}', timeout: 2h } }]"
      ),
      subject: "files/a.txt", kind: "compensation", words: "undoing at the server"),
    WaitSituation(
      name: "a compensation that failed",
      pipeline: loop(
        "- { id: m, request: { method: POST, url: '$S/ok' }, effect: repeatable, outputs: { t: '${{ response.json.token }}' } }\n"
          + "      - { id: x, request: { url: '$S/403' }, depends_on: [m] }\n"
          + "    on_abandon: [{ request: { method: DELETE, url: '$S/503/${{ steps.m.t }}' } }]"),
      subject: "files/a.txt", kind: "compensation", words: "back-off before undoing at the server",
      failure: "503"),
    WaitSituation(
      name: "a run-level result that is issued again",
      pipeline: "  - { id: s, request: { method: POST, url: '$S/token', timeout: 2h }, "
        + "effect: repeatable, outputs: { t: { value: '${{ response.json.token }}', secret: true } } }\n"
        + loop(
          "- { id: x, request: { url: '$S/401', bearer: '${{ steps.s.t }}' }, on: [{ if: '${{ response.status == 401 }}', expired: s }] }"
        ),
      rules: [
        #"{"match": "/token", "do": "answer", "status": 200, "json": {"token": "t"}, "to": 1}"#,
        #"{"match": "/token", "do": "hold"}"#, #"{"match": "/401", "do": "answer", "status": 401}"#,
      ], subject: "files/a.txt", kind: "dependency", words: "step 's'"),
    WaitSituation(
      name: "a batch",
      pipeline: loop(
        "- { id: x, request: { url: '$S/one/${{ file.name }}', timeout: 2h } }\n"
          + "      - { id: y, depends_on: [x], batch: { items: 9, within: 50m, entry: '${{ file.name }}' }, "
          + "request: { method: POST, url: '$S/ok', json: { all: '${{ batch.entries }}' } }, effect: repeatable, "
          + "results: { each: '${{ response.json }}', on: [{ then: success }] } }"),
      rules: [
        #"{"match": "/one/b", "do": "hold"}"#,
        #"{"match": "/one/", "do": "answer", "status": 200}"#,
      ], subject: "files/a.txt", kind: "batch", words: "a batch for 'y'"),
  ]

  /// A loop over the three files, two at a time.
  private static func loop(_ steps: String) -> String {
    "  - for_each: file\n    in: ${{ inputs.files }}\n    concurrency: 2\n    steps:\n      "
      + steps.trimmingPrefix { $0 == " " } + "\n"
  }

  /// The document; `$S` is the server.
  var document: String {
    let steps = pipeline.replacing("$S", with: "${{ inputs.server }}")
    return """
      pipeline: waits
      inputs: { server: { type: url }, files: { type: files, default: "files/*.txt" } }
      budgets: { disk: 600 B, transfers: \(transfers), rates: { slow: 1/1h } }
      retry: { standard: { attempts: 9, backoff: { initial: 50m, max: 50m }, jitter: none }, quick: { attempts: 9, backoff: { initial: 10ms }, jitter: none } }
      steps:
      \(steps)
      """
  }
}
