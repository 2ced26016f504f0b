import CEL
import PipelineCore

extension Grammar {
  package static let poll = Construct(
    name: .poll, phrase: "'poll'",
    summary: """
      Asks a server until it is ready. Each question is a short request, and nothing is in flight between two of them. The \
      entries of `on` decide first, then `fail_when`, then `until`; any other 2xx response means that the server is not \
      ready. Failures are retried as for a `request`, and a response ends a row of failures.
      """,
    keys: request.keys + [
      Key(
        "until", .expression, "True for the response that ends the poll; `outputs` read that one.",
        isRequired: true, examples: [#"${{ response.json.state == "done" }}"#]),
      Key(
        "fail_when", .expression, "True for a response that can never become a success.",
        examples: [#"${{ response.json.state == "error" }}"#]),
      Key(
        "every", .durationOrExpression,
        """
        Time from a response to the next question, at least 1 s; it may come from the response. A longer `Retry-After` of \
        the server goes first.
        """, default: "10s",
        examples: ["30s", "${{ duration(string(response.json.check_after_secs) + \"s\") }}"]),
      Key(
        "deadline", .durationOrExpression,
        """
        The longest time from the first question to the last, which is asked at the deadline. It is kept when the process ends. \
        Then the item pauses, or does what `exhausted` of its retry policy says.
        """, isRequired: true, examples: ["10m", "${{ inputs.patience }}"]),
      Key(
        "message", .template,
        """
        What the server says while it is not ready, and why it never will be, for the user. By default the values that `until` \
        reads.
        """,
        examples: ["${{ response.json.progress }} %"]),
    ],
    alternatives: request.alternatives,
    reserved: request.reserved.union(["wake", "while", "attempts"]),
    renamed: [
      "interval": Construct.Renamed(key: "every", reason: "it is the time between two questions")
    ])
}
