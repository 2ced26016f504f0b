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
}
