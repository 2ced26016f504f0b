import CEL
import PipelineCore

extension Grammar {
  package static let `repeat` = Construct(
    name: .repeat, phrase: "'repeat'",
    summary: """
      Runs its steps in turns, with values that each turn passes on to the next. Expressions read them as `steps.ID.NAME`. They are \
      stored after each turn, so that a run that was killed goes on where it was.
      """,
    keys: [
      Key(
        "from", .map(.template, names: identifierPattern),
        "The values of the first turn, by name. The first whole number among them measures the progress.",
        isRequired: true, examples: [["offset": 0]]),
      Key(
        "until", .expression, "No other turn follows once this is true.", isRequired: true,
        examples: ["${{ steps.sent.offset == file.size }}"]),
      Key(
        "steps", .filledList(.construct(.step)), "The steps of each turn, in order.",
        isRequired: true,
        examples: [[["id": "ping", "request": ["url": "https://example.com/ping"]]]]),
      Key(
        "next", .map(.template, names: identifierPattern),
        "The values of the next turn, by name. What is not named stays as it is.",
        isRequired: true, examples: [["offset": "${{ steps.send.offset }}"]]),
      Key(
        "resync", .construct(.resync),
        """
        How to ask the server for the values. The request is sent after a failed request, a lost response, a killed \
        process and `then: resync`, and its values replace the stored ones. Without it, a step is repeated as elsewhere.
        """,
        examples: [
          [
            "request": ["method": "HEAD", "url": "${{ steps.create.url }}"],
            "next": ["offset": "${{ int(response.headers[\"upload-offset\"]) }}"],
          ]
        ]),
    ],
    reserved: ["while", "times", "turns", "stalled"])

  package static let resync = Construct(
    name: .resync, phrase: "'resync'",
    summary: "A request whose response says how far the server is; it must change nothing.",
    keys: [
      Key(
        "request", .construct(.request), "The request.", isRequired: true,
        examples: [["method": "HEAD", "url": "${{ steps.create.url }}"]]),
      Key(
        "next", .map(.template, names: identifierPattern),
        "The values that the response gives, by name. What is not named stays as it is.",
        isRequired: true,
        examples: [["offset": "${{ int(response.headers[\"upload-offset\"]) }}"]]),
    ])

  package static let batch = Construct(
    name: .batch, phrase: "'batch'",
    summary: """
      Items that reach the step wait, and one request is sent for all of them: when there are enough, when the first has \
      waited long enough, or when no more can come. A waiting item does not count towards the loop's \
      `concurrency`, but its files stay on disk.
      """,
    keys: [
      Key(
        "items", .integer(minimum: 2), "Maximum number of items in one request.",
        isRequired: true, examples: [100]),
      Key(
        "within", .duration, "Maximum time that an item waits for others.",
        isRequired: true, examples: ["30s"]),
      Key(
        "entry", .json,
        "Each item's element of the list `batch.entries`, from which the request is built.",
        isRequired: true, examples: [["id": "${{ steps.allocate.upload_id }}"]]),
      Key(
        "by", .expression,
        "Only items for which this is the same share a batch. By default all items of the loop may.",
        examples: ["${{ steps.album.id }}"]),
      Key(
        "serial", .flag,
        """
        One batch is sent after the other: the next waits until the one before it has its results. With `by`, those with the \
        same value wait for each other.
        """, default: false),
      Key(
        "bytes", .either([.size, .construct(.batchBytes)]),
        """
        How much the items of one request may take together: the sizes of their files, or what `of` says. An item that takes more \
        by itself goes alone.
        """, examples: ["100 MB"]),
    ],
    reserved: ["key", "order"])

  package static let batchBytes = Construct(
    name: .batchBytes, phrase: "'bytes'", summary: "How much the items of a batch may take.",
    keys: [
      Key("limit", .size, "The largest sum.", isRequired: true, examples: ["100 MB"]),
      Key(
        "of", .expression, "What one item takes: a number of bytes.", isRequired: true,
        examples: ["${{ steps.body.file.size }}"]),
    ])

  package static let results = Construct(
    name: .results, phrase: "'results'",
    summary: """
      What a successful response to a batch means for each of its items. An item whose result is not in the response pauses \
      for a person to check, because the server has acted.
      """,
    keys: [
      Key(
        "each", .expression,
        "One item's result in the response, read as `batch.result` in `on` below and in `outputs`.",
        isRequired: true,
        examples: [
          "${{ response.json.results[batch.index] }}",
          "${{ response.json.results.filter(one, one.id == batch.entry.id)[0] }}",
        ]),
      Key(
        "on", .filledList(.construct(.matcher)),
        """
        What the result means for the item. The first entry that holds decides; if none does, the item fails. `retry` and \
        `poll` put it into a later batch, and `expired` reissues a step of this item.
        """, isRequired: true,
        examples: [[["if": "${{ batch.result.done }}", "then": "success"], ["then": "retry"]]]),
    ],
    reserved: ["outputs", "status"])
}

extension Grammar {
  package static let innerLoop = Construct(
    name: .innerLoop, phrase: "an inner loop",
    summary: """
      Steps that run for each part of an item, several parts at once. Each part has a state of its own: it is retried, and \
      reissued, without the others. The steps after the inner loop run when all parts are done. If a part fails or pauses, so \
      does its item, and `pipeline retry` continues with the parts that are not done.
      """,
    keys: [
      Key(
        "id", .pattern(identifierPattern),
        "ID of the inner loop, unique in the pipeline. Expressions read what it collects as `steps.ID.NAME`.",
        isRequired: true, examples: ["parts"]),
      Key("description", .text, "What the inner loop does.", examples: ["Send the parts."]),
      Key(
        "if", .expression, "The inner loop is skipped if this is false.",
        examples: ["${{ photo.size > 5 * MiB }}"]),
      Key(
        "for_each", .pattern(identifierPattern),
        "Name of the part; expressions in the steps read it by this name.", isRequired: true,
        examples: ["part"]),
      Key(
        "in", .expression,
        """
        The list of parts: ranges of a file from `parts`, or any list made of the item, its steps' outputs and inputs. It \
        must be the same each time it is evaluated.
        """,
        isRequired: true, examples: ["${{ ranges(photo.size, 8 * MiB) }}"]),
      Key(
        "concurrency", .integer(minimum: 1),
        "Maximum number of parts of one item in progress at once.", default: 4),
      Key(
        "steps", .filledList(.construct(.step)), "The steps for each part, in order.",
        isRequired: true,
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
        """
        What later steps need of each part, by name. They read a list with one element for each part, in the order of \
        the parts.
        """,
        examples: [["etags": "${{ steps.put.etag }}"]]),
      Key(
        "depends_on", .list(.pattern(identifierPattern)),
        "IDs of steps that must have succeeded before, besides those whose results are read. If one of them is reissued, all "
          + "parts begin again.",
        examples: [["open"]]),
      Key(
        "max_reissues", .integer(minimum: 0),
        "How often all parts may begin again because what they were made from has expired, before the item pauses.",
        default: 10),
    ],
    reserved: ["failures", "on_abandon", "retry", "order"])
}
