import CEL
import PipelineCore

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
    ],
    reserved: ["failures", "on_abandon", "retry", "order"])
}
