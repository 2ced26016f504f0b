import CEL
public import PipelineCore

extension SmallPipelines {
  /// For each file a digest, a request that starts some work, and a poll until it is done, at most for `deadline`.
  public static func poll(
    deadline: String = "duration('25s')", retry: RetryPolicy = .prompt, hasDigest: Bool = false,
    concurrency: Int = 1
  ) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: concurrency)
    if hasDigest {
      builder.step(
        "sum",
        .digest(DigestsTemplate(file: builder.expression("item"), algorithms: [.sha256])),
        outputs: [OutputDeclaration(name: "sha256", value: builder.template("x"))], retry: retry)
    }
    builder.step(
      "begin",
      .request(RequestTemplate(method: "POST", url: builder.template("${{ inputs.server }}"))),
      outputs: [
        OutputDeclaration(name: "url", value: builder.template("${{ response.json.url }}"))
      ],
      retry: retry, effect: .create, key: "Key", dependsOn: hasDigest ? ["sum"] : [])
    builder.step(
      "wait",
      .poll(
        PollTemplate(
          request: RequestTemplate(url: builder.template("${{ steps.begin.url }}")),
          deadline: builder.expression(deadline))),
      on: [
        builder.matcher("response.status == 404", .expired(builder.index("begin"))),
        builder.matcher("response.json.state == 'done'", .success),
        builder.matcher("response.status < 300", .poll),
      ], retry: retry)
    builder.endLoop()
    return builder.pipeline("poll")
  }
}
