import CEL

extension Grammar {
  package static let batch = Construct(
    name: .batch, phrase: "'batch'",
    keys: [
      Key("items", .integer(minimum: 2), isRequired: true, examples: [100]),
      Key("within", .duration, isRequired: true, examples: ["30s"]),
      Key("entry", .json, isRequired: true, examples: [["id": "${{ steps.allocate.upload_id }}"]]),
      Key("by", .expression, examples: ["${{ steps.album.id }}"]),
      Key("serial", .flag, default: false),
      Key("bytes", .either([.size, .construct(.batchBytes)]), examples: ["100 MB"]),
    ],
    reserved: ["key", "order"])

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
    ],
    reserved: ["outputs", "status"])
}
