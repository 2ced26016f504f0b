import CEL
public import PipelineCore

extension SmallPipelines {
  /// For each file an upload that is sent in parts, several at once, and what is done when all are there.
  ///
  /// With `asks`, each part asks for a URL of its own first, which expires alone.
  public static func parts(
    asks: Bool = false, effect: Step.ServerEffect = .repeatable, key: String? = nil,
    list: String = "[1, 2]", concurrency: Int = 2, diskBytes: Int64? = nil,
    undo: Bool = false
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: diskBytes))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("file", concurrency: 1)
    builder.step(
      "open",
      .request(
        RequestTemplate(method: "POST", url: builder.template("${{ inputs.server }}/uploads"))),
      outputs: [
        OutputDeclaration(
          name: "url", value: builder.template("${{ response.json.url }}"),
          lifetime: Lifetime(end: .after(builder.expression("duration('10m')"))))
      ])
    builder.parts("parts", "part", in: list, concurrency: concurrency)
    let gone = builder.matcher("response.status == 404", .expired(builder.index("open")))
    var url = builder.template("${{ steps.open.url }}/${{ part }}")
    var matchers = [gone]
    if asks {
      builder.step(
        "ask", .request(RequestTemplate(method: "POST", url: url)), on: [gone],
        outputs: [
          OutputDeclaration(name: "url", value: builder.template("${{ response.json.url }}"))
        ])
      url = builder.template("${{ steps.ask.url }}")
      matchers.append(
        builder.matcher("response.status == 403", .expired(builder.index("ask"))))
    }
    if diskBytes != nil {
      builder.step(
        "body", .materialize(MaterializeTemplate(source: .text(builder.template("0123456789")))))
    }
    builder.step(
      "put", .request(RequestTemplate(method: "PUT", url: url)), on: matchers,
      outputs: [
        OutputDeclaration(name: "tag", value: builder.template("${{ response.json.tag }}"))
      ],
      effect: effect, key: key, dependsOn: diskBytes == nil ? [] : ["body"])
    builder.endParts(collect: ["tags": "${{ steps.put.tag }}"], dependsOn: ["open"])
    builder.step(
      "finish",
      .request(
        RequestTemplate(
          method: "POST", url: builder.template("${{ steps.open.url }}"),
          body: .text(builder.template("${{ steps.parts.tags[0] }}")))),
      on: [builder.matcher("response.status == 404", .expired(builder.index("open")))])
    if undo {
      builder.onAbandon(
        RequestTemplate(method: "DELETE", url: builder.template("${{ steps.open.url }}")))
    }
    builder.endLoop()
    return builder.pipeline("parts")
  }
}
