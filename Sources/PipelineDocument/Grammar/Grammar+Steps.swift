import CEL
package import PipelineCore

extension Grammar {
  /// The keys of which a step has exactly one: its action, or the file whose steps it includes.
  package static let kinds = StepKind.allCases.filter { $0 != .forEach }.map(\.rawValue) + ["use"]

  package static let step = Construct(
    name: .step, phrase: "a step", summary: "One action of a workflow.",
    keys: [
      Key(
        "id", .pattern(identifierPattern),
        "ID of the step, unique in the pipeline. Expressions read its results as `steps.ID.NAME`.",
        isRequired: true, examples: ["allocate"]),
      Key("description", .text, "What the step does.", examples: ["Reserve an upload."]),
      Key(
        "if", .expression, "The step is skipped if this is false.",
        examples: ["${{ photo.size > 0 }}"]),
      Key(
        "let", .map(.template, names: identifierPattern),
        """
        Names for values, for the other keys of the step: an expression reads each by its name, and a later one may read those \
        before it. One that reads the response is only known in `on` and `outputs`.
        """, examples: [["key": "${{ sha256(photo.name) }}"]]),
      Key(
        "request", .construct(.request), "A short HTTP exchange.",
        examples: [["url": "https://example.com/ping"]]),
      Key(
        "materialize", .construct(.materialize),
        "Makes a body, as a file inside the disk budget where there must be one.",
        examples: [["file": "${{ photo }}", "digests": ["sha256"]]]),
      Key(
        "poll", .construct(.poll),
        "A short HTTP exchange that is repeated until the server is ready.",
        examples: [
          [
            "url": "${{ steps.commit.url }}", "until": #"${{ response.json.state == "done" }}"#,
            "deadline": "10m",
          ]
        ]),
      Key(
        "digest", .construct(.digest), "Takes digests of a file, without a copy of it.",
        examples: [["file": "${{ photo }}", "take": ["sha256"]]]),
      Key(
        "upload", .construct(.upload), "A background transfer whose body is a file.",
        examples: [["url": "https://example.com/a", "file": "${{ photo }}"]]),
      Key(
        "download", .construct(.download), "A background transfer into a file.",
        examples: [["url": "https://example.com/film.mov", "max_size": "1 GiB"]]),
      Key(
        "repeat", .construct(.repeat),
        "Steps that run in turns until a condition holds, such as one for each piece of a file.",
        examples: [
          [
            "from": ["page": 1], "until": "${{ steps.pages.page > 3 }}",
            "steps": [["id": "ping", "request": ["url": "https://example.com/ping"]]],
            "next": ["page": "${{ steps.pages.page + 1 }}"],
          ]
        ]),
      Key(
        "use", .text,
        """
        Path of another pipeline, relative to this file, whose steps run here. Its outputs are read as `steps.ID.NAME`; \
        `expired: ID` reissues the step that makes them.
        """, examples: ["shared/sign-in.yaml"]),
      Key(
        "with", .map(.template, names: identifierPattern),
        "Values for the inputs of the used pipeline, by name.",
        examples: [["server": "${{ inputs.server }}"]]),
      Key(
        "batch", .construct(.batch),
        "Collects items, so that one `request` is sent for many of them.",
        examples: [["items": 100, "within": "30s", "entry": "${{ steps.allocate.upload_id }}"]]),
      Key(
        "results", .construct(.results),
        "What the response to a batch means for each of its items.",
        examples: [
          [
            "each": "${{ response.json.results[batch.index] }}",
            "on": [["if": "${{ batch.result.done }}", "then": "success"], ["then": "retry"]],
          ]
        ]),
      Key(
        "on", .list(.construct(.matcher)),
        """
        What responses mean. The first entry that holds decides. If none does, 2xx is success; 408, 423, 425, 429, 5xx and transport \
        errors are retried; and anything else fails.
        """, examples: [[["if": "${{ response.status == 404 }}", "expired": "allocate"]]]),
      Key(
        "success_if", .expression,
        """
        What a 2xx response must contain to prove that the step was carried out, for servers that report errors with 200. \
        Without it, the outcome is unknown: the step is queried with its probe, or repeated if that is safe.
        """, examples: ["${{ has(response.json.id) }}"]),
      Key(
        "outputs", .map(.either([.template, .construct(.output)]), names: identifierPattern),
        "Values taken from the response, by name. Later steps read them as `steps.ID.NAME`.",
        examples: [["id": "${{ response.json.id }}"]]),
      Key(
        "retry", .either([.pattern(namePattern), .construct(.retry)]),
        "A retry policy, or the name of one. By default `standard`.",
        examples: ["standard"]),
      Key(
        "effect", .choice(Step.ServerEffect.allCases.map(\.rawValue)),
        "What a repeat does on the server: with `repeatable` it is harmless, with `create` it makes something new. Required for "
          + "POST and PATCH if the step has outputs.",
        default: "repeatable"),
      Key(
        "idempotency", .construct(.idempotency), "How the server recognises a repeat.",
        examples: [["header": "Idempotency-Key"]]),
      Key(
        "probe", .construct(.probe),
        "How to find out whether the step took effect if its response was lost.",
        examples: [
          [
            "request": ["url": "${{ steps.allocate.url }}"],
            "took_effect": "${{ response.json.complete }}",
          ]
        ]),
      Key(
        "depends_on", .list(.pattern(identifierPattern)),
        "IDs of steps that must have succeeded before, besides those whose results are read. If one of them is reissued, so is "
          + "this step.",
        examples: [["upload"]]),
      Key(
        "max_reissues", .integer(minimum: 0),
        "How often the step may be reissued because its result has expired, before the item pauses.",
        default: 10),
      Key(
        "max_stalled_turns", .integer(minimum: 0),
        "Only for `repeat`: how many turns in a row may bring no progress, before the item pauses.",
        default: 10),
    ],
    alternatives: [.exactlyOne(kinds)],
    reserved: [
      "wait", "credentials", "sign", "defaults", "timeout", "run", "deadline", "priority",
      "discretionary", "earliest", "network", "renew",
    ])

  package static let idempotency = Construct(
    name: .idempotency, phrase: "'idempotency'",
    summary: """
      A key that stays the same for all attempts at one result. It is sent in a header, a query item or a field of the body. The \
      step's expressions can read it as `idempotency.key`, for example for a URL that the client chooses; then it is sent nowhere \
      else unless a place is named.
      """,
    keys: [
      Key(
        "header", .pattern(headerPattern), "Header that carries the key.",
        default: .string(idempotencyHeader), examples: ["Idempotency-Key"]),
      Key("query", .text, "Query item that carries the key.", examples: ["request_id"]),
      Key(
        "field", .text, "Field of the `json` object, or of the `form`, that carries the key.",
        examples: ["client_token"]),
      Key(
        "key", .template,
        "A key of your own. It outlives the results that the step uses: if one of them expires and the step is reissued "
          + "with a new one, the server still recognises the repeat. It may read inputs, the item, its file and the run, "
          + "and must differ between items. Do not set it if `on_abandon` undoes the step: the retry of an "
          + "item would send the old key, and the server would replay the old response. By default the key is random, and new for each generation of the step.",
        examples: ["publish-${{ item.key }}"]),
    ],
    alternatives: [.atMostOne("header", "query", "field")])

  /// The header named by the draft of the HTTP working group, which most servers support.
  static let idempotencyHeader = "Idempotency-Key"

  package static let probe = Construct(
    name: .probe, phrase: "'probe'",
    summary: "A request that tells whether the step took effect, sent when a response was lost.",
    keys: [
      Key(
        "request", .construct(.request), "The request; it must change nothing.", isRequired: true,
        examples: [["url": "${{ steps.allocate.url }}"]]),
      Key(
        "took_effect", .expression, "True for the probe's response if the step took effect.",
        isRequired: true, examples: [#"${{ response.json.state == "complete" }}"#]),
      Key(
        "example", .construct(.probeExample),
        "What responses look like if the step took effect, and if it did not. A real run never reads it.",
        examples: [
          [
            "took_effect": ["json": ["state": "complete"]],
            "no_effect": ["json": ["state": "uploading"]],
          ]
        ]),
      Key("after", .duration, "Time from the lost response to the first probe.", default: "0s"),
      Key(
        "interval", .duration,
        "Time from one probe that finds no effect to the next, while that may be premature.",
        default: "5s"),
      Key(
        "until", .duration,
        """
        Time from the lost response until a probe that finds no effect is final. Until then the server may still be working on the \
        request, or its reads may lag behind its writes, so the probe is sent again.
        """, default: "0s"),
    ],
    reserved: ["attempts"])

  package static let output = Construct(
    name: .output, phrase: "an output", summary: "A value that later steps read.",
    keys: [
      Key(
        "value", .template, "The value.", isRequired: true, examples: ["${{ response.json.id }}"]),
      Key(
        "secret", .either([.flag, .choice(["sealed"])]),
        """
        Keeps the value out of the store, of logs and of reports. With `sealed`, the store has it encrypted, so that it outlives \
        the process; in the step itself, `previous.NAME` is the value of its last success, or null.
        """, default: false),
      Key(
        "expires", .construct(.lifetime), "How long the value is valid.",
        examples: [["in": "1h", "skew": "60s"]]),
    ],
    reserved: ["type", "renew"])

  package static let lifetime = Construct(
    name: .lifetime, phrase: "'expires'",
    summary: "How long an output is valid. When it expires, its step is reissued.",
    keys: [
      Key(
        "in", .durationOrExpression, "Lifetime from the response on, a duration.",
        examples: ["1h", "${{ seconds(response.json.expires_in) }}"]),
      Key(
        "at", .expression, "Expiry time on the server's clock, a timestamp.",
        examples: [
          "${{ timestamp(response.json.expires_at) }}", "${{ httpDate(response.headers.expires) }}",
        ]),
      Key(
        "url", .expression,
        """
        A signed URL, whose query tells how long it is valid: `X-…-Date` with `X-…-Expires`, `se`, or `Expires` with seconds \
        since 1970.
        """, examples: ["${{ response.json.upload_url }}"]),
      Key(
        "sliding", .flag,
        "The lifetime begins again whenever a step that uses the output succeeds.", default: false),
      Key(
        "skew", .duration,
        "How long before it expires the value is no longer used, at most half of the lifetime. By default a tenth of it, at most 5 s.",
        examples: ["60s"]),
    ],
    alternatives: [.exactlyOne("in", "at", "url")],
    reserved: ["max_age", "header"])

  package static let matcher = Construct(
    name: .matcher, phrase: "an entry of 'on'",
    summary: "What a response means; in `results`, what one item's result means.",
    keys: [
      Key(
        "if", .expression,
        "The entry applies if this is true. Optional in the last entry.",
        examples: ["${{ response.status == 404 }}"]),
      Key(
        "expired", .pattern(identifierPattern),
        "ID of the step whose result has expired. It is reissued, and then everything that depends on it.",
        examples: ["allocate"]),
      Key(
        "then", .choice(MatcherWord.allCases.map(\.rawValue)),
        """
        `success`: take the outputs. `retry`: try again after the back-off. `poll`: ask again without counting a failure. \
        `finish_item`: the item is done, without its remaining steps. `skip_item`: leave the item out. `fail`: the item has \
        failed. `pause`: the item waits for a person. `resync`: ask the server how far the turns of `repeat` came.
        """),
      Key("message", .template, "Text for the user.", examples: ["the server's disk is full"]),
      Key(
        "after", .durationOrExpression,
        "Delay before `retry` or `poll`, or before the step that `expired` names is reissued.",
        examples: ["30s", "${{ duration(response.headers[\"x-wait\"]) }}"]),
      Key(
        "slower", .duration,
        """
        Makes the pause before this and all later questions of a `poll` longer by so much: the server finds it too eager. Each \
        such response adds to it.
        """, examples: ["5s"]),
      Key(
        "progress", .flag,
        "The server made progress, so the count of failed attempts is reset.",
        default: false),
      Key(
        "refused", .flag,
        """
        The server refused the request before processing it, according to its documentation: a step with \
        `effect: create` is then repeated at once, without a probe.
        """, default: false),
    ],
    alternatives: [.exactlyOne("expired", "then")],
    reserved: ["outputs", "set", "goto"])

  static let exampleKey = Key(
    "example", .construct(.example),
    """
    What a successful response looks like, for readers, `pipeline simulate` and `pipeline verify`: a real run never \
    reads it. By default, a simulation generates a response that the step's `on` and `outputs` accept.
    """,
    examples: [
      [
        "status": 201,
        "json": [
          "id": "u-${{ request.number }}", "expires_at": #"${{ string(now + duration("1h")) }}"#,
        ],
      ]
    ])

  package static let responseStatus = Key(
    "status", .integer(minimum: 100), "HTTP status, 100 to 599.", default: 200)
  package static let responseHeaders = Key(
    "headers", .map(.template, names: headerPattern), "Headers by name.",
    examples: [["Retry-After": "30"]])
  package static let responseJSON = Key(
    "json", .json, "Body of type `application/json`; its strings may contain expressions.",
    examples: [["id": "u1", "expires_at": #"${{ string(now + duration("1h")) }}"#]])
  package static let responseText = Key(
    "text", .template, "Plain-text body, UTF-8.", examples: ["created ${{ request.number }}"])
  package static let responseDelay = Key(
    "delay", .duration, "Time until the response.", default: "0s")

  package static let example = Construct(
    name: .example, phrase: "an example",
    summary: """
      What a response looks like. Expressions see the same names as the request's, and `request.method`, `.url`, `.headers`, `.json`, \
      `.text`, `.size`, `.number` and `.elapsed`; `now` is when the request arrives.
      """,
    keys: [responseStatus, responseHeaders, responseJSON, responseText, responseDelay],
    alternatives: [.atMostOne("json", "text")], reserved: ["body", "file", "if", "error", "url"])

  static let probeExample = Construct(
    name: .probeExample, phrase: "a probe's examples",
    summary: "What a probe's responses look like.",
    keys: [
      Key(
        "took_effect", .construct(.example), "The response if the step took effect.",
        examples: [["json": ["state": "complete"]]]),
      Key(
        "no_effect", .construct(.example), "The response if it did not.",
        examples: [["status": 404]]),
    ])
}

package enum MatcherWord: String, CaseIterable, Sendable {
  case success, retry
  case finishItem = "finish_item"
  case skipItem = "skip_item"
  case fail, pause, poll, resync

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
