import CEL
import PipelineCore

extension Grammar {
  package static let poll = Construct(
    name: .poll, phrase: "'poll'",
    keys: request.keys + [
      Key(
        "until", .expression, isRequired: true, examples: [#"${{ response.json.state == "done" }}"#]
      ),
      Key("fail_when", .expression, examples: [#"${{ response.json.state == "error" }}"#]),
      Key(
        "every", .durationOrExpression, default: "10s",
        examples: ["30s", "${{ duration(string(response.json.check_after_secs) + \"s\") }}"]),
      Key(
        "deadline", .durationOrExpression, isRequired: true,
        examples: ["10m", "${{ inputs.patience }}"]),
      Key("message", .template, examples: ["${{ response.json.progress }} %"]),
    ],
    alternatives: request.alternatives,
    reserved: request.reserved.union(["wake", "while", "attempts"]),
    renamed: [
      "interval": Construct.Renamed(key: "every", reason: "it is the time between two questions")
    ])
}
