import CEL
public import PipelineCore

extension SmallPipelines {
  /// For each file an upload that is sent in two pieces, and a step afterwards.
  ///
  /// With `hasResync`, the server reports its progress after each failure. With `waits`, the step afterwards also waits for
  /// the step that sends a piece, which never runs if there are no pieces.
  public static func pieces(
    hasResync: Bool, effect: Step.ServerEffect = .repeatable, key: String? = nil,
    reissueLimit: Int = 10, pieces: Int = 2, next: String = "steps.sent.n + 1",
    waits: Bool = false
  ) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("file")
    builder.step(
      "create",
      .request(
        RequestTemplate(method: "POST", url: builder.template("${{ inputs.server }}/uploads"))),
      outputs: [
        OutputDeclaration(
          name: "url", value: builder.template("${{ response.json.url }}"),
          lifetime: Lifetime(end: .after(builder.expression("duration('10m')"))))
      ])
    let url = builder.template("${{ steps.create.url }}")
    let gone = builder.matcher("response.status == 404", .expired(builder.index("create")))
    builder.turns(
      "sent", to: pieces, next: "${{ \(next) }}",
      resync: hasResync ? RequestTemplate(method: "HEAD", url: url) : nil,
      on: hasResync ? [gone] : [], dependsOn: ["create"], reissueLimit: reissueLimit)
    builder.step(
      "send", .request(RequestTemplate(method: "PATCH", url: url)), on: [gone], effect: effect,
      key: key)
    builder.endTurns()
    builder.step(
      "finish", .request(RequestTemplate(method: "POST", url: url)),
      dependsOn: ["sent"] + (waits ? ["send"] : []))
    builder.endLoop()
    return builder.pipeline("pieces")
  }
}
