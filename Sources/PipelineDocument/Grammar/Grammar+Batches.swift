import CEL

extension Grammar {
  package static let batch = Construct(
    name: .batch, phrase: "'batch'",
    summary: """
      Items that reach the step line up, and one request is sent for all that stand: when there are enough of them, when the \
      first has stood long enough, or when no further one can come. An item that stands takes no place of the loop's \
      `concurrency`; its files stay on the disk.
      """,
    keys: [
      Key(
        "items", .integer(minimum: 2), "Items that one request is sent for at most.",
        isRequired: true, examples: [100]),
      Key(
        "within", .duration, "Time that an item stands at most while others may still come.",
        isRequired: true, examples: ["30s"]),
      Key(
        "entry", .json,
        "What each item puts into the list `batch.entries`, from which the request is made.",
        isRequired: true, examples: [["id": "${{ steps.allocate.upload_id }}"]]),
    ],
    reserved: ["bytes", "by", "key", "order"])

  package static let results = Construct(
    name: .results, phrase: "'results'",
    summary: """
      What a good answer to a batch means for each of its items. An item whose result cannot be found in the answer waits for \
      a person, because the server has acted.
      """,
    keys: [
      Key(
        "each", .expression,
        "What the answer tells of one item: `batch.result` in `on` below and in `outputs`.",
        isRequired: true,
        examples: [
          "${{ response.json.results[batch.index] }}",
          "${{ response.json.results.filter(one, one.id == batch.entry.id)[0] }}",
        ]),
      Key(
        "on", .filledList(.construct(.matcher)),
        """
        What the result means for the item. The first entry that holds decides; where none does, the item fails. `retry` and \
        `poll` let it line up for a later batch, `expired` makes a value of this item anew.
        """, isRequired: true,
        examples: [[["if": "${{ batch.result.done }}", "then": "success"], ["then": "retry"]]]),
    ],
    reserved: ["outputs", "status"])
}
