import CEL

extension Grammar {
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
