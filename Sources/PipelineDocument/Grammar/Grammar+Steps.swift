import CEL
package import PipelineCore

extension Grammar {
  /// The keys of which a step has exactly one: what it does, or the file whose steps it stands for.
  package static let kinds = StepKind.allCases.map(\.rawValue) + ["use"]

  package static let step = Construct(
    name: .step, phrase: "a step", summary: "One thing that is done.",
    keys: [
      Key(
        "id", .pattern(identifierPattern),
        "Name of the step, unique in the pipeline. Expressions read its results as `steps.ID.NAME`.",
        isRequired: true, examples: ["allocate"]),
      Key("description", .text, "What the step does.", examples: ["Reserve an upload."]),
      Key(
        "if", .expression, "The step is skipped where this is false.",
        examples: ["${{ photo.size > 0 }}"]),
      Key(
        "request", .construct(.request), "A short HTTP exchange.",
        examples: [["url": "https://example.com/ping"]]),
      Key(
        "materialize", .construct(.materialize), "Writes a body file inside the disk budget.",
        examples: [["file": "${{ photo }}", "digests": ["sha256"]]]),
      Key(
        "upload", .construct(.upload), "A background transfer whose body is a file.",
        examples: [["url": "https://example.com/a", "file": "${{ photo }}"]]),
      Key(
        "download", .construct(.download), "A background transfer into a file.",
        examples: [["url": "https://example.com/film.mov", "max_size": "1 GiB"]]),
      Key(
        "use", .text,
        """
        Path of another pipeline, relative to this file, whose steps are done here. Its outputs are read as `steps.ID.NAME`; \
        `expired: ID` does the step anew that makes them.
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
        "results", .construct(.results), "What the answer to a batch means for each of its items.",
        examples: [
          [
            "each": "${{ response.json.results[batch.index] }}",
            "on": [["if": "${{ batch.result.done }}", "then": "success"], ["then": "retry"]],
          ]
        ]),
      Key(
        "on", .list(.construct(.matcher)),
        """
        What answers mean. The first entry that holds decides; where none does, 2xx is success, 408, 423, 425, 429, 5xx and transport \
        errors are retried, and anything else fails.
        """, examples: [[["if": "${{ response.status == 404 }}", "expired": "allocate"]]]),
      Key(
        "outputs", .map(.either([.template, .construct(.output)]), names: identifierPattern),
        "Values taken from the answer, by name. Later steps read them as `steps.ID.NAME`.",
        examples: [["id": "${{ response.json.id }}"]]),
      Key(
        "retry", .either([.pattern(namePattern), .construct(.retry)]),
        "Name of a retry policy, or a policy. Left out, it is the policy `standard`.",
        examples: ["standard"]),
      Key(
        "effect", .choice(Step.ServerEffect.allCases.map(\.rawValue)),
        "What a repeat does at the server: `repeatable` does no harm, `create` makes something new.",
        default: "repeatable"),
      Key(
        "idempotency", .construct(.idempotency), "How the server recognises a repeat.",
        examples: [["header": "Idempotency-Key"]]),
      Key(
        "probe", .construct(.probe),
        "How to learn whether the step took effect when its answer was lost.",
        examples: [
          [
            "request": ["url": "${{ steps.allocate.url }}"],
            "done": "${{ response.json.complete }}",
          ]
        ]),
      Key(
        "needs", .list(.pattern(identifierPattern)),
        "Ids of steps that must have succeeded before, besides those whose results are read.",
        examples: [["upload"]]),
      Key(
        "max_reissues", .integer(minimum: 0),
        "Times the step may be done anew because its result has expired, before the item is paused.",
        default: 10),
    ],
    alternatives: [.exactlyOne(kinds)],
    reserved: [
      "repeat", "poll", "wait", "credentials", "sign", "defaults",
      "timeout", "run", "deadline", "priority", "discretionary", "earliest", "network",
      "renew",
    ])

  package static let idempotency = Construct(
    name: .idempotency, phrase: "'idempotency'",
    summary: "A key that stays the same over all attempts at one result.",
    keys: [
      Key(
        "header", .pattern(headerPattern), "Header that carries the key.",
        default: .string(idempotencyHeader), examples: ["Idempotency-Key"]),
      Key(
        "key", .template,
        "A key of your own. It outlives the results that the step is made from: where one of them expires and the step is done "
          + "again from a new one, the server still recognises the repeat. It may read inputs, the item, its file and the run, "
          + "and has to differ from one item to another. Leave it out where `on_abandon` takes back what the step made: the retry of an "
          + "item would show the old key, and the server gives the old answer. Left out, the key is random, and each generation of the step has another.",
        examples: ["publish-${{ item.key }}"]),
    ],
    reserved: ["query"])

  /// The header that the draft of the HTTP working group names, and most servers read.
  static let idempotencyHeader = "Idempotency-Key"

  package static let probe = Construct(
    name: .probe, phrase: "'probe'",
    summary: "A request that tells whether the step took effect; sent when an answer was lost.",
    keys: [
      Key(
        "request", .construct(.request), "The request; it must change nothing.", isRequired: true,
        examples: [["url": "${{ steps.allocate.url }}"]]),
      Key(
        "done", .expression, "True on the probe's answer when the step took effect.",
        isRequired: true, examples: [#"${{ response.json.state == "complete" }}"#]),
      Key(
        "example", .construct(.probeExample),
        "What answers look like where the step took effect, and where it did not. A run for real never looks at it.",
        examples: [
          ["done": ["json": ["state": "complete"]], "open": ["json": ["state": "uploading"]]]
        ]),
      Key(
        "after", .duration,
        "Time from the lost answer until the probe is sent first.", default: "0s"),
      Key(
        "interval", .duration,
        "Time from one probe that says 'not done' to the next, while that may be too early.",
        default: "5s"),
      Key(
        "until", .duration,
        """
        Time from the lost answer until 'not done' is believed. As long as the server may still be at work on the \
        request, or its reads lag behind its writes, the probe is asked again.
        """, default: "0s"),
    ],
    reserved: ["attempts"])

  package static let output = Construct(
    name: .output, phrase: "an output", summary: "A value that later steps read.",
    keys: [
      Key(
        "value", .template, "The value.", isRequired: true, examples: ["${{ response.json.id }}"]),
      Key(
        "secret", .flag, "Keeps the value out of the store, of logs and of reports.",
        default: false),
      Key(
        "expires", .construct(.lifetime), "How long the value lives.",
        examples: [["in": "1h", "skew": "60s"]]),
    ],
    reserved: ["type", "renew"])

  package static let lifetime = Construct(
    name: .lifetime, phrase: "'expires'",
    summary: "How long an output lives. A dead output is made anew by doing its step again.",
    keys: [
      Key(
        "in", .durationOrExpression, "Lifetime from the answer on, a duration.",
        examples: ["1h", #"${{ duration(string(response.json.expires_in) + "s") }}"#]),
      Key(
        "at", .expression, "End of life on the server's clock, a timestamp.",
        examples: ["${{ timestamp(response.json.expires_at) }}"]),
      Key(
        "skew", .duration,
        "How long before its end the value is no longer used. Left out: a tenth of the lifetime, at most 5 s.",
        examples: ["60s"]),
    ],
    alternatives: [.exactlyOne("in", "at")],
    reserved: ["sliding", "max_age", "header"])

  package static let matcher = Construct(
    name: .matcher, phrase: "an entry of 'on'",
    summary: "What an answer means, or in `results` what it tells of one item of a batch.",
    keys: [
      Key(
        "if", .expression,
        "The entry holds where this is true. It may be left out in the last entry.",
        examples: ["${{ response.status == 404 }}"]),
      Key(
        "expired", .pattern(identifierPattern),
        "Id of the step whose result is dead; it is done anew, and then all that depends on it.",
        examples: ["allocate"]),
      Key(
        "then", .choice(MatcherWord.allCases.map(\.rawValue)),
        """
        `success`: outputs are taken. `retry`: try again after back-off. `poll`: ask again, no failure is counted. `done`: \
        the item is complete. `skip`: the item is left out. `fail`: it failed for good. `pause`: it waits for a person.
        """),
      Key(
        "message", .template, "Text for the user.", examples: ["the server's disk is full"]),
      Key(
        "after", .durationOrExpression, "Delay before `retry` or `poll`.",
        examples: ["30s", "${{ duration(response.headers[\"x-wait\"]) }}"]),
      Key(
        "progress", .flag,
        "The server took something in, so that counting failed attempts begins anew.",
        default: false),
      Key(
        "refused", .flag,
        """
        The server refused the request before it processed it, by the word of its documentation: a step with \
        `effect: create` is then repeated at once, without its probe being asked.
        """, default: false),
    ],
    alternatives: [.exactlyOne("expired", "then")],
    reserved: ["outputs", "set", "goto"])
}

/// The words behind `then`.
package enum MatcherWord: String, CaseIterable, Sendable {
  case success, retry, done, skip, fail, pause, poll

  package var outcome: Matcher.Outcome {
    switch self {
    case .success: .success
    case .retry: .retry
    case .done: .done
    case .skip: .skip
    case .fail: .fail
    case .pause: .pause
    case .poll: .poll
    }
  }
}
