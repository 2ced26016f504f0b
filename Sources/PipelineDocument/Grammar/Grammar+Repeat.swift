import CEL
import PipelineCore

/// Steps that run in turns.
extension Grammar {
  package static let `repeat` = Construct(
    name: .repeat, phrase: "'repeat'",
    keys: [
      Key(
        "from", .map(.template, names: identifierPattern), isRequired: true,
        examples: [["offset": 0]]),
      Key(
        "until", .expression, isRequired: true, examples: ["${{ steps.sent.offset == file.size }}"]),
      Key(
        "steps", .filledList(.construct(.step)), isRequired: true,
        examples: [[["id": "ping", "request": ["url": "https://example.com/ping"]]]]),
      Key(
        "next", .map(.template, names: identifierPattern), isRequired: true,
        examples: [["offset": "${{ steps.send.offset }}"]]),
      Key(
        "resync", .construct(.resync),
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
    keys: [
      Key(
        "request", .construct(.request), isRequired: true,
        examples: [["method": "HEAD", "url": "${{ steps.create.url }}"]]),
      Key(
        "next", .map(.template, names: identifierPattern), isRequired: true,
        examples: [["offset": "${{ int(response.headers[\"upload-offset\"]) }}"]]),
    ])
}
