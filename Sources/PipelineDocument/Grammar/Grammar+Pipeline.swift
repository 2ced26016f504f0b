import CEL
import PipelineCore

extension Grammar {
  package static let pipeline = Construct(
    name: .pipeline, phrase: "a pipeline",
    summary: "A workflow: what it needs, the limits it keeps, and its steps.",
    keys: [
      Key(
        "pipeline", .pattern(namePattern),
        "Name of the pipeline: lower-case letters, digits, `_` and `-`. Runs are named after it.",
        isRequired: true, examples: ["photos"]),
      Key(
        "description", .text, "What the pipeline does, in a sentence.",
        examples: ["Upload a folder of photos."]),
      Key(
        "inputs", .map(.construct(.input), names: identifierPattern),
        "Values that each run is given, by name. Expressions read them as `inputs.NAME`.",
        examples: [["server": ["type": "url"]]]),
      Key(
        "budgets", .construct(.budgets), "Limits that the whole run keeps at any moment.",
        examples: [["disk": "512 MiB", "transfers": 100]]),
      Key(
        "session", .pattern(sessionPattern),
        """
        Identifier of the background session that carries the transfers: letters, digits, `.`, `_` and `-`. Left out, it is \
        the name of the pipeline. A process that begins again must use the same one to learn what became of its transfers.
        """, examples: ["com.example.photos.uploads"]),
      Key(
        "retry", .map(.construct(.retry), names: namePattern),
        "Retry policies by name. The policy `standard` is the default of all steps.",
        examples: [["standard": ["attempts": 6]]]),
      Key(
        "credentials", .map(.construct(.credential), names: namePattern),
        "Credentials by name, for requests that name them under `credentials`.",
        examples: [["api": ["bearer": "${{ steps.sign_in.token }}"]]]),
      Key(
        "use", .list(.text),
        """
        Files of definitions, whose retry policies and credentials can be named here. Paths are relative to this file; what \
        this file defines itself comes first.
        """, examples: [["shared/definitions.yaml"]]),
      Key(
        "steps", .filledList(.either([.construct(.step), .construct(.loop)])),
        "What is done, in order. An entry is a step, or a `for_each` loop over steps.",
        isRequired: true,
        examples: [[["id": "ping", "request": ["url": "https://example.com/ping"]]]]),
      Key(
        "outputs", .map(.template, names: identifierPattern),
        "Values by name that a file which uses this one reads as `steps.ID.NAME`.",
        examples: [["token": "${{ steps.sign_in.token }}"]]),
    ],
    reserved: ["sign", "defaults", "version", "network", "schedule", "batch"])

  package static let credential = Construct(
    name: .credential, phrase: "credentials", summary: "How a request is authorized.",
    keys: [bearer, basicKey], alternatives: [.exactlyOne("bearer", "basic")],
    reserved: ["oauth2", "sign", "digest", "header"])

  package static let definitions = Construct(
    name: .definitions, phrase: "a file of definitions",
    summary: "Retry policies and credentials that several pipelines share.",
    keys: [
      Key(
        "definitions", .pattern(namePattern), "Name of the definitions.", isRequired: true,
        examples: ["company"]),
      Key(
        "description", .text, "What the definitions are for.",
        examples: ["Policies that all pipelines share."]),
      Key(
        "retry", .map(.construct(.retry), names: namePattern), "Retry policies by name.",
        examples: [["patient": ["attempts": 20]]]),
      Key(
        "credentials", .map(.construct(.credential), names: namePattern),
        """
        Credentials by name. Their expressions are read in each file that uses them, so that they can name its inputs and \
        steps.
        """, examples: [["api": ["bearer": "${{ inputs.token }}"]]]),
      Key("use", .list(.text), "Further files of definitions.", examples: [["more.yaml"]]),
    ],
    reserved: ["inputs", "steps"])

  package static let input = Construct(
    name: .input, phrase: "an input", summary: "A value that each run is given.",
    keys: [
      Key(
        "type", .choice(InputDeclaration.Kind.allCases.map(\.rawValue)),
        """
        Type of the value. `url` is an absolute http or https URL; `size` a number of bytes such as `512 MiB`; `file` a path; \
        `files` a glob of paths; `secret` is never stored, logged or reported.
        """, isRequired: true, examples: ["files"]),
      Key(
        "default", .scalar,
        "Value where a run gives none. Paths and globs are relative to the pipeline's file.",
        examples: ["Pictures/**/*.jpg"]),
      Key(
        "description", .text, "What the input is for; shown when it is asked for.",
        examples: ["Root of the API, without a slash at the end."]),
      Key(
        "required", .flag,
        """
        `false` lets a run begin without a value: expressions then see an empty string, or no files. Only for `string`, `url`, \
        `secret` and `files`; the other types take a `default`.
        """, default: true),
    ],
    reserved: ["pattern", "enum", "minimum", "maximum", "multiple", "env"])

  package static let budgets = Construct(
    name: .budgets, phrase: "'budgets'", summary: "Limits that the whole run keeps at any moment.",
    keys: [
      Key(
        "disk", .size, "Bytes that materialized files hold on disk at any moment.",
        examples: ["512 MiB"]),
      Key(
        "transfers", .integer(minimum: 1),
        "Uploads that are handed to the transfer service and not yet answered.", examples: [100]),
    ],
    reserved: ["requests", "bytes_per_day", "requests_per_second", "memory", "cellular"])

  package static let retry = Construct(
    name: .retry, phrase: "a retry policy",
    summary: "How failures of a step are retried. What is left out is as in the built-in policy.",
    keys: [
      Key(
        "attempts", .integer(minimum: 1), "Failed attempts before the retries are used up.",
        default: 6),
      Key(
        "backoff", .construct(.backoff), "Delays between attempts.",
        examples: [["initial": "1s", "factor": 2, "max": "5m"]]),
      Key(
        "jitter", .choice(RetryPolicy.Jitter.allCases.map(\.rawValue)),
        "How a delay is spread: `full` is uniform between zero and the delay, `none` the whole delay.",
        default: "full"),
      Key(
        "elapsed", .duration,
        "Time from the first attempt after which no further one is made.", examples: ["1d"]),
      Key(
        "retry_after", .choice(RetryPolicy.RetryAfter.allCases.map(\.rawValue)),
        "Whether the server's `Retry-After` header lengthens a delay.", default: "honor"),
      Key(
        "retry_after_max", .duration,
        "The longest that a server's `Retry-After` is waited for, be it told in seconds or as a date.",
        default: "1d", examples: ["2h"]),
      Key(
        "exhausted", .choice(RetryPolicy.Exhausted.allCases.map(\.rawValue)),
        "What becomes of an item whose retries are used up: `pause` waits for `pipeline retry`.",
        default: "pause"),
    ],
    reserved: ["on", "budget"])

  static let backoff = Construct(
    name: .backoff, phrase: "'backoff'",
    summary: "Delays that grow from one failure to the next: initial · factor^n, at most max.",
    keys: [
      Key("initial", .duration, "First delay.", default: "1s"),
      Key(
        "factor", .number(minimum: 1), "Growth of the delay from one failure to the next.",
        default: 2),
      Key("max", .duration, "Longest delay.", default: "5m"),
    ])

  package static let loop = Construct(
    name: .loop, phrase: "a loop", summary: "Steps that are done for each element of a list.",
    keys: [
      Key(
        "for_each", .pattern(identifierPattern),
        "Name of the element; expressions in the steps read it by this name.", isRequired: true,
        examples: ["photo"]),
      Key(
        "in", .expression, "The list: a `files` input, or any expression of a list.",
        isRequired: true, examples: ["${{ inputs.photos }}"]),
      Key(
        "concurrency", .integer(minimum: 1), "Items that may be worked on at once.", default: 8),
      Key(
        "steps", .filledList(.construct(.step)), "What is done for each element, in order.",
        isRequired: true,
        examples: [
          [["id": "put", "upload": ["url": "https://example.com/a", "file": "${{ photo }}"]]]
        ]),
      Key(
        "failures", .choice(Loop.Failures.allCases.map(\.rawValue)),
        """
        What failed items mean for what stands after the loop: `stop` does not begin it before they are retried and done, \
        `allow` does it without them. Paused items are always waited for, skipped ones never.
        """, default: "stop"),
      Key(
        "on_abandon", .list(.construct(.abandonment)),
        """
        Requests that undo what an item left on the server when the item is given up. One is sent only when all outputs \
        that it names are there.
        """,
        examples: [[["request": ["method": "DELETE", "url": "${{ steps.allocate.url }}"]]]]),
    ],
    reserved: ["priority", "batch", "if", "while", "order", "id", "description", "key"])

  package static let abandonment = Construct(
    name: .abandonment, phrase: "an entry of 'on_abandon'",
    summary: "A request that is sent when an item is given up.",
    keys: [
      Key(
        "request", .construct(.request), "The request.", isRequired: true,
        examples: [["method": "DELETE", "url": "${{ steps.allocate.url }}"]])
    ],
    reserved: ["if"])
}
