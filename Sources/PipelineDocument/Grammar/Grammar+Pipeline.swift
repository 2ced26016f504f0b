import CEL
import PipelineCore

extension Grammar {
  package static let pipeline = Construct(
    name: .pipeline, phrase: "a pipeline",
    summary: "A workflow: its inputs, its limits and its steps.",
    keys: [
      Key(
        "pipeline", .pattern(namePattern),
        "Name of the pipeline: lower-case letters, digits, `_` and `-`. Runs are named after it.",
        isRequired: true, examples: ["photos"]),
      versionKey,
      Key(
        "description", .text, "What the pipeline does, in a sentence.",
        examples: ["Upload a folder of photos."]),
      Key(
        "inputs", .map(.construct(.input), names: identifierPattern),
        "Values set for each run, by name. Expressions read them as `inputs.NAME`.",
        examples: [["server": ["type": "url"]]]),
      Key(
        "budgets", .construct(.budgets), "Limits for the whole run at any time.",
        examples: [["disk": "512 MiB", "transfers": 100]]),
      Key(
        "background_session", .pattern(sessionPattern),
        """
        Identifier of the background session that carries the transfers: letters, digits, `.`, `_` and `-`. By default it is \
        the name of the pipeline. A restarted process must use the same identifier to learn the outcome of its transfers.
        """, examples: ["com.example.photos.uploads"]),
      Key(
        "retry", .map(.construct(.retry), names: namePattern),
        "Retry policies by name. All steps use the policy `standard` by default.",
        examples: [["standard": ["attempts": 6]]]),
      defaultsKey,
      Key(
        "credentials", .map(.construct(.credential), names: namePattern),
        "Credentials by name, for requests that name them under `credentials`.",
        examples: [["api": ["bearer": "${{ steps.sign_in.token }}"]]]),
      Key(
        "use", .list(.text),
        """
        Files of definitions, whose retry policies and credentials can be named here. Paths are relative to this file. This \
        file's own definitions take precedence.
        """, examples: [["shared/definitions.yaml"]]),
      Key(
        "steps", .filledList(.either([.construct(.step), .construct(.loop)])),
        "The steps, in order. An entry is a step or a `for_each` loop.",
        isRequired: true,
        examples: [[["id": "ping", "request": ["url": "https://example.com/ping"]]]]),
      Key(
        "outputs", .map(.template, names: identifierPattern),
        "Values by name. A file that uses this one reads them as `steps.ID.NAME`.",
        examples: [["token": "${{ steps.sign_in.token }}"]]),
    ],
    reserved: ["sign", "network", "schedule", "batch"])

  package static let versionKey = Key(
    "version", .integer(minimum: 1),
    "Version of the language that the file is written in. A program that does not know it refuses the file.",
    default: 1)
  package static let version = 1

  package static let definitions = Construct(
    name: .definitions, phrase: "a file of definitions",
    summary: "Retry policies and credentials that several pipelines share.",
    keys: [
      Key(
        "definitions", .pattern(namePattern), "Name of the definitions.", isRequired: true,
        examples: ["company"]),
      versionKey,
      Key(
        "description", .text, "What the definitions are for.",
        examples: ["Policies that all pipelines share."]),
      Key(
        "retry", .map(.construct(.retry), names: namePattern), "Retry policies by name.",
        examples: [["patient": ["attempts": 20]]]),
      Key(
        "credentials", .map(.construct(.credential), names: namePattern),
        """
        Credentials by name. Their expressions are evaluated in each file that uses them, so they can read its inputs and \
        steps.
        """, examples: [["api": ["bearer": "${{ inputs.token }}"]]]),
      Key("use", .list(.text), "Further files of definitions.", examples: [["more.yaml"]]),
    ],
    reserved: ["inputs", "steps"])

  package static let input = Construct(
    name: .input, phrase: "an input", summary: "A value set for each run.",
    keys: [
      Key(
        "type", .choice(InputDeclaration.Kind.allCases.map(\.rawValue)),
        """
        Type of the value. `url` is an absolute http or https URL; `size` a number of bytes such as `512 MiB`; `file` a path; \
        `files` a glob of paths; `secret` is never stored, logged or reported.
        """, isRequired: true, examples: ["files"]),
      Key(
        "default", .scalar,
        "Value used if a run does not set one. Paths and globs are relative to the pipeline's file.",
        examples: ["Pictures/**/*.jpg"]),
      Key(
        "description", .text, "What the input is for; shown when the user is asked for it.",
        examples: ["Root of the API, without a slash at the end."]),
      Key(
        "required", .flag,
        """
        `false` lets a run start without a value: expressions then see an empty string, or no files. Only for `string`, `url`, \
        `secret` and `files`; for other types set a `default`.
        """, default: true),
      Key(
        "exclude", .list(.text),
        """
        Patterns of files and folders that a `files` input leaves out. One without a slash is compared with names, any other with \
        paths as in `file.relative`; a slash at the end restricts it to folders. `--exclude` adds more.
        """, examples: [[".DS_Store", "*.tmp", "drafts/"]]),
      Key(
        "hidden", .flag,
        "Whether the wildcards of a `files` input match files and folders whose names begin with a dot.",
        default: false),
      Key(
        "follow_links", .flag,
        "Whether `**` enters links to folders. A link to a file is always taken as a file.",
        default: false),
    ],
    reserved: ["pattern", "enum", "minimum", "maximum", "multiple", "env"])

  package static let budgets = Construct(
    name: .budgets, phrase: "'budgets'", summary: "Limits for the whole run at any time.",
    keys: [
      Key(
        "disk", .size, "Maximum size of all files that the run makes on disk at any time.",
        examples: ["512 MiB"]),
      Key(
        "transfers", .integer(minimum: 1),
        "Maximum number of uploads in the transfer service at any time.", examples: [100]),
      Key(
        "requests_per_second", .integer(minimum: 1),
        """
        Maximum number of requests in a second, evenly spaced: those of steps and transfers, with their retries and probes, \
        questions, sign-ins and compensations. A waiting request waits in line, also after a restart.
        """, examples: [10]),
      Key(
        "bytes_per_second", .size,
        "Maximum number of bytes that the bodies of all requests and responses together take in a second.",
        examples: ["5 MB"]),
      Key(
        "rates", .map(.either([.requestRate, .construct(.pace)]), names: namePattern),
        "Further limits on how often requests may be sent, by name, for requests that name them under `rate`.",
        examples: [["init": "6/1m"]]),
    ],
    reserved: ["requests", "bytes_per_day", "memory", "cellular"])

  package static let pace = Construct(
    name: .pace, phrase: "a rate", summary: "How often requests may be sent.",
    keys: [
      Key(
        "limit", .requestRate,
        "Maximum number of requests in any time span of this length. They are evenly spaced.",
        isRequired: true, examples: ["6/1m"]),
      Key(
        "burst", .integer(minimum: 1),
        """
        How many of them may be sent without a pause, such as the first ones. The others are spaced so that the limit holds \
        all the same, so a burst of the whole limit leaves only one request in each time span after it.
        """, default: 1),
    ])

  package static let retry = Construct(
    name: .retry, phrase: "a retry policy",
    summary:
      "How a step's failures are retried. Missing keys have the values of the built-in policy.",
    keys: [
      Key(
        "attempts", .integer(minimum: 1), "Failed attempts after which the step is not retried.",
        default: 6),
      Key(
        "backoff", .construct(.backoff), "Delays between attempts.",
        examples: [["initial": "1s", "factor": 2, "max": "5m"]]),
      Key(
        "jitter", .choice(RetryPolicy.Jitter.allCases.map(\.rawValue)),
        "How a delay is randomized: `full` picks a uniform value between zero and the delay, `none` uses the whole delay.",
        default: "full"),
      Key(
        "elapsed", .duration,
        "Time from the first attempt after which there are no more attempts.", examples: ["1d"]),
      Key(
        "retry_after", .choice(RetryPolicy.RetryAfter.allCases.map(\.rawValue)),
        "Whether the server's `Retry-After` header lengthens a delay.", default: "honor"),
      Key(
        "retry_after_max", .duration,
        "Longest wait for a server's `Retry-After`, given in seconds or as a date.",
        default: "1d", examples: ["2h"]),
      Key(
        "exhausted", .choice(RetryPolicy.Exhausted.allCases.map(\.rawValue)),
        "What happens to an item whose retries are used up: `pause` waits for `pipeline retry`.",
        default: "pause"),
    ],
    reserved: ["on", "budget"])

  static let backoff = Construct(
    name: .backoff, phrase: "'backoff'",
    summary: "Delays that grow with each failure: initial · factor^n, at most max.",
    keys: [
      Key("initial", .duration, "First delay.", default: "1s"),
      Key("factor", .number(minimum: 1), "Growth of the delay with each failure.", default: 2),
      Key("max", .duration, "Longest delay.", default: "5m"),
    ])

  package static let loop = Construct(
    name: .loop, phrase: "a loop", summary: "Steps that run for each element of a list.",
    keys: [
      Key(
        "for_each", .pattern(identifierPattern),
        "Name of the loop variable; expressions in the steps read the element by this name.",
        isRequired: true,
        examples: ["photo"]),
      Key(
        "id", .pattern(identifierPattern),
        "ID of the loop, unique in the pipeline, by which reports call it. By default it is called by its variable.",
        examples: ["uploads"]),
      Key("description", .text, "What the loop does.", examples: ["Upload each photo."]),
      Key(
        "if", .expression,
        "If this is false, the loop has no items. It is evaluated once, when the list is.",
        examples: ["${{ inputs.publish }}"]),
      Key(
        "in", .expression, "The list: a `files` input, or any list expression.",
        isRequired: true, examples: ["${{ inputs.photos }}"]),
      Key(
        "concurrency", .integer(minimum: 1), "Maximum number of items in progress at once.",
        default: 8),
      defaultsKey,
      Key(
        "steps", .filledList(.either([.construct(.step), .construct(.innerLoop)])),
        "The steps for each element, in order. An entry is a step, or an inner loop over the parts of the element.",
        isRequired: true,
        examples: [
          [["id": "put", "upload": ["url": "https://example.com/a", "file": "${{ photo }}"]]]
        ]),
      Key(
        "failures", .choice(Loop.Failures.allCases.map(\.rawValue)),
        """
        What failed items mean for the steps after the loop: `stop` waits until they are retried and done, \
        `allow` continues without them. The run always waits for paused items, and never for skipped ones.
        """, default: "stop"),
      Key(
        "on_abandon", .list(.construct(.abandonment)),
        """
        Requests that undo what an item left on the server when the item is given up. Each is sent only if all outputs \
        that it reads exist. One whose outputs were replaced, such as an upload that expired, is sent for the old ones when \
        the item ends, however it ends.
        """,
        examples: [[["request": ["method": "DELETE", "url": "${{ steps.allocate.url }}"]]]]),
    ],
    reserved: ["priority", "batch", "while", "order", "key"])

  package static let abandonment = Construct(
    name: .abandonment, phrase: "an entry of 'on_abandon'",
    summary: "A request that is sent when an item is given up, and for results that were replaced.",
    keys: [
      Key(
        "request", .construct(.request), "The request.", isRequired: true,
        examples: [["method": "DELETE", "url": "${{ steps.allocate.url }}"]]),
      Key(
        "undoes", .list(.pattern(identifierPattern)),
        """
        Steps whose effects the request also undoes, in addition to those whose outputs it reads: deleting an upload may \
        undo its finalization, or not. Your statement about the server; `pipeline verify` reports it as an assumption.
        """,
        examples: [["finalize"]]),
    ],
    reserved: ["if"])
}
