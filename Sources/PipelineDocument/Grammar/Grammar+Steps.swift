import CEL
package import PipelineCore

extension Grammar {
  /// The keys of which a step has exactly one: its action, or the file whose steps it includes.
  package static let kinds = StepKind.allCases.filter { $0 != .forEach }.map(\.rawValue) + ["use"]

  package static let step = Construct(
    name: .step, phrase: "a step",
    keys: [
      Key("id", .pattern(identifierPattern), isRequired: true, examples: ["allocate"]),
      Key("description", .text, examples: ["Reserve an upload."]),
      Key("if", .expression, examples: ["${{ photo.size > 0 }}"]),
      Key(
        "let", .map(.template, names: identifierPattern),
        examples: [["key": "${{ sha256(photo.name) }}"]]),
      Key("request", .construct(.request), examples: [["url": "https://example.com/ping"]]),
      Key(
        "materialize", .construct(.materialize),
        examples: [["file": "${{ photo }}", "digests": ["sha256"]]]),
      Key(
        "poll", .construct(.poll),
        examples: [
          [
            "url": "${{ steps.commit.url }}", "until": #"${{ response.json.state == "done" }}"#,
            "deadline": "10m",
          ]
        ]),
      Key("digest", .construct(.digest), examples: [["file": "${{ photo }}", "take": ["sha256"]]]),
      Key(
        "upload", .construct(.upload),
        examples: [["url": "https://example.com/a", "file": "${{ photo }}"]]),
      Key(
        "download", .construct(.download),
        examples: [["url": "https://example.com/film.mov", "max_size": "1 GiB"]]),
      Key(
        "repeat", .construct(.repeat),
        examples: [
          [
            "from": ["page": 1], "until": "${{ steps.pages.page > 3 }}",
            "steps": [["id": "ping", "request": ["url": "https://example.com/ping"]]],
            "next": ["page": "${{ steps.pages.page + 1 }}"],
          ]
        ]),
      Key("use", .text, examples: ["shared/sign-in.yaml"]),
      Key(
        "with", .map(.template, names: identifierPattern),
        examples: [["server": "${{ inputs.server }}"]]),
      Key(
        "batch", .construct(.batch),
        examples: [["items": 100, "within": "30s", "entry": "${{ steps.allocate.upload_id }}"]]),
      Key(
        "results", .construct(.results),
        examples: [
          [
            "each": "${{ response.json.results[batch.index] }}",
            "on": [["if": "${{ batch.result.done }}", "then": "success"], ["then": "retry"]],
          ]
        ]),
      Key(
        "on", .list(.construct(.matcher)),
        examples: [[["if": "${{ response.status == 404 }}", "expired": "allocate"]]]),
      Key("success_if", .expression, examples: ["${{ has(response.json.id) }}"]),
      Key(
        "outputs", .map(.either([.template, .construct(.output)]), names: identifierPattern),
        examples: [["id": "${{ response.json.id }}"]]),
      Key("retry", .either([.pattern(namePattern), .construct(.retry)]), examples: ["standard"]),
      Key("effect", .choice(Step.ServerEffect.allCases.map(\.rawValue)), default: "repeatable"),
      Key("idempotency", .construct(.idempotency), examples: [["header": "Idempotency-Key"]]),
      Key(
        "probe", .construct(.probe),
        examples: [
          [
            "request": ["url": "${{ steps.allocate.url }}"],
            "took_effect": "${{ response.json.complete }}",
          ]
        ]),
      Key("depends_on", .list(.pattern(identifierPattern)), examples: [["upload"]]),
      Key("max_reissues", .integer(minimum: 0), default: 10),
      Key("max_stalled_turns", .integer(minimum: 0), default: 10),
    ], alternatives: [.exactlyOne(kinds)],
    reserved: [
      "wait", "credentials", "sign", "defaults", "timeout", "run", "deadline", "priority",
      "discretionary", "earliest", "network", "renew",
    ])

  package static let idempotency = Construct(
    name: .idempotency, phrase: "'idempotency'",
    keys: [
      Key(
        "header", .pattern(headerPattern), default: .string(idempotencyHeader),
        examples: ["Idempotency-Key"]),
      Key("query", .text, examples: ["request_id"]),
      Key("field", .text, examples: ["client_token"]),
      Key("key", .template, examples: ["publish-${{ item.key }}"]),
    ], alternatives: [.atMostOne("header", "query", "field")])

  /// The header named by the draft of the HTTP working group, which most servers support.
  static let idempotencyHeader = "Idempotency-Key"

  package static let probe = Construct(
    name: .probe, phrase: "'probe'",
    keys: [
      Key(
        "request", .construct(.request), isRequired: true,
        examples: [["url": "${{ steps.allocate.url }}"]]),
      Key(
        "took_effect", .expression, isRequired: true,
        examples: [#"${{ response.json.state == "complete" }}"#]),
      Key(
        "example", .construct(.probeExample),
        examples: [
          [
            "took_effect": ["json": ["state": "complete"]],
            "no_effect": ["json": ["state": "uploading"]],
          ]
        ]),
      Key("after", .duration, default: "0s"),
      Key("interval", .duration, default: "5s"),
      Key("until", .duration, default: "0s"),
    ], reserved: ["attempts"])

  package static let output = Construct(
    name: .output, phrase: "an output",
    keys: [
      Key("value", .template, isRequired: true, examples: ["${{ response.json.id }}"]),
      Key("secret", .either([.flag, .choice(["sealed"])]), default: false),
      Key("expires", .construct(.lifetime), examples: [["in": "1h", "skew": "60s"]]),
    ], reserved: ["type", "renew"])

  package static let lifetime = Construct(
    name: .lifetime, phrase: "'expires'",
    keys: [
      Key(
        "in", .durationOrExpression, examples: ["1h", "${{ seconds(response.json.expires_in) }}"]),
      Key(
        "at", .expression,
        examples: [
          "${{ timestamp(response.json.expires_at) }}", "${{ httpDate(response.headers.expires) }}",
        ]),
      Key("url", .expression, examples: ["${{ response.json.upload_url }}"]),
      Key("sliding", .flag, default: false),
      Key("skew", .duration, examples: ["60s"]),
    ], alternatives: [.exactlyOne("in", "at", "url")],
    reserved: ["max_age", "header"])

  package static let matcher = Construct(
    name: .matcher, phrase: "an entry of 'on'",
    keys: [
      Key("if", .expression, examples: ["${{ response.status == 404 }}"]),
      Key("expired", .pattern(identifierPattern), examples: ["allocate"]),
      Key("then", .choice(MatcherWord.allCases.map(\.rawValue))),
      Key("message", .template, examples: ["the server's disk is full"]),
      Key(
        "after", .durationOrExpression,
        examples: ["30s", "${{ duration(response.headers[\"x-wait\"]) }}"]),
      Key("slower", .duration, examples: ["5s"]),
      Key("progress", .flag, default: false),
      Key("refused", .flag, default: false),
    ], alternatives: [.exactlyOne("expired", "then")],
    reserved: ["outputs", "set", "goto"])
}

/// The words for `then`.
package enum MatcherWord: String, CaseIterable, Sendable {
  case success, retry
  case finishItem = "finish_item"
  case skipItem = "skip_item"
  case fail, pause, poll, resync

  /// The meaning; `nil` for `resync`, which depends on the place.
  package var outcome: Matcher.Outcome? {
    switch self {
    case .success: .success
    case .retry: .retry
    case .finishItem: .finishItem
    case .skipItem: .skipItem
    case .fail: .fail
    case .pause: .pause
    case .poll: .poll
    case .resync: nil
    }
  }
}

/// Steps that run in turns.
extension Grammar {
  package static let `repeat` = Construct(
    name: .repeat, phrase: "'repeat'",
    keys: [
      Key(
        "from", .map(.template, names: identifierPattern), isRequired: true,
        examples: [["offset": 0]]),
      Key(
        "until", .expression, isRequired: true, examples: ["${{ steps.sent.offset == file.size }}"]),
      Key(
        "steps", .filledList(.construct(.step)), isRequired: true,
        examples: [[["id": "ping", "request": ["url": "https://example.com/ping"]]]]),
      Key(
        "next", .map(.template, names: identifierPattern), isRequired: true,
        examples: [["offset": "${{ steps.send.offset }}"]]),
      Key(
        "resync", .construct(.resync),
        examples: [
          [
            "request": ["method": "HEAD", "url": "${{ steps.create.url }}"],
            "next": ["offset": "${{ int(response.headers[\"upload-offset\"]) }}"],
          ]
        ]),
    ], reserved: ["while", "times", "turns", "stalled"])

  package static let resync = Construct(
    name: .resync, phrase: "'resync'",
    keys: [
      Key(
        "request", .construct(.request), isRequired: true,
        examples: [["method": "HEAD", "url": "${{ steps.create.url }}"]]),
      Key(
        "next", .map(.template, names: identifierPattern), isRequired: true,
        examples: [["offset": "${{ int(response.headers[\"upload-offset\"]) }}"]]),
    ])
}

/// A loop inside a loop: the parts of an item.
extension Grammar {
  package static let innerLoop = Construct(
    name: .innerLoop, phrase: "an inner loop",
    keys: [
      Key("id", .pattern(identifierPattern), isRequired: true, examples: ["parts"]),
      Key("description", .text, examples: ["Send the parts."]),
      Key("if", .expression, examples: ["${{ photo.size > 5 * MiB }}"]),
      Key("for_each", .pattern(identifierPattern), isRequired: true, examples: ["part"]),
      Key("in", .expression, isRequired: true, examples: ["${{ ranges(photo.size, 8 * MiB) }}"]),
      Key("concurrency", .integer(minimum: 1), default: 4),
      Key(
        "steps", .filledList(.construct(.step)), isRequired: true,
        examples: [
          [
            [
              "id": "put",
              "upload": [
                "url": "https://example.com/a", "file": "${{ photo }}",
                "range": ["offset": "${{ part.offset }}", "length": "${{ part.length }}"],
              ],
            ]
          ]
        ]),
      Key(
        "collect", .map(.template, names: identifierPattern),
        examples: [["etags": "${{ steps.put.etag }}"]]),
      Key("depends_on", .list(.pattern(identifierPattern)), examples: [["open"]]),
      Key("max_reissues", .integer(minimum: 0), default: 10),
    ], reserved: ["failures", "on_abandon", "retry", "order"])

  package static let batch = Construct(
    name: .batch, phrase: "'batch'",
    keys: [
      Key("items", .integer(minimum: 2), isRequired: true, examples: [100]),
      Key("within", .duration, isRequired: true, examples: ["30s"]),
      Key("entry", .json, isRequired: true, examples: [["id": "${{ steps.allocate.upload_id }}"]]),
      Key("by", .expression, examples: ["${{ steps.album.id }}"]),
      Key("serial", .flag, default: false),
      Key("bytes", .either([.size, .construct(.batchBytes)]), examples: ["100 MB"]),
    ], reserved: ["key", "order"])

  package static let batchBytes = Construct(
    name: .batchBytes, phrase: "'bytes'",
    keys: [
      Key("limit", .size, isRequired: true, examples: ["100 MB"]),
      Key("of", .expression, isRequired: true, examples: ["${{ steps.body.file.size }}"]),
    ])

  package static let results = Construct(
    name: .results, phrase: "'results'",
    keys: [
      Key(
        "each", .expression, isRequired: true,
        examples: [
          "${{ response.json.results[batch.index] }}",
          "${{ response.json.results.filter(one, one.id == batch.entry.id)[0] }}",
        ]),
      Key(
        "on", .filledList(.construct(.matcher)), isRequired: true,
        examples: [[["if": "${{ batch.result.done }}", "then": "success"], ["then": "retry"]]]),
    ], reserved: ["outputs", "status"])
}
