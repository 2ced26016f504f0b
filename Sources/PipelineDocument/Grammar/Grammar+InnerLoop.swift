import CEL
import PipelineCore

/// A loop inside a loop: the parts of an item.
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
