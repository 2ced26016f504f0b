import CEL
public import PipelineCore

extension SmallPipelines {
  /// For each file an upload that is sent in parts, several at once, and a step when all are there.
  ///
  /// With `asks`, each part asks for a URL of its own first, which expires separately.
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

  /// For each file a session, the steps that the test specifies, and one request for each part,
  /// which leaves the part itself.
  ///
  /// The session returns an address, which is valid for 10 min, and a secret list. With `looks`,
  /// a second step comes before the parts.
  public static func listed(
    _ list: String = "[1, 2]", concurrency: Int = 2, hasProbe: Bool = false, looks: Bool = false,
    uploads: Bool = false, undo: Bool = false
  ) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("file", concurrency: 1)
    open(&builder)
    let url = builder.template("${{ steps.open.url }}")
    if looks { builder.step("look", .request(RequestTemplate(url: url))) }
    let earlier = looks ? ["open", "look"] : ["open"]
    builder.parts("parts", "part", in: list, concurrency: concurrency)
    let put = RequestTemplate(
      method: "PUT", url: builder.template("${{ steps.open.url }}/${{ part }}"))
    let state = RequestTemplate(url: builder.template("${{ inputs.server }}/state"))
    let probe = hasProbe ? builder.probe(state, tookEffect: "response.json.ok") : nil
    builder.step(
      "put",
      uploads
        ? .upload(UploadTemplate(request: put, file: builder.expression("file"))) : .request(put),
      effect: hasProbe ? .create : .repeatable, probe: probe, dependsOn: earlier)
    builder.endParts(collect: ["names": "${{ part }}"], dependsOn: earlier)
    builder.step("finish", .request(RequestTemplate(method: "POST", url: url)))
    if undo {
      builder.onAbandon(
        RequestTemplate(method: "DELETE", url: builder.template("${{ steps.open.url }}")))
    }
    builder.endLoop()
    return builder.pipeline("listed")
  }

  /// For each file a session, parts that are derived from it, and then others that are not.
  public static func twoLists(_ first: String, _ second: String) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("file", concurrency: 1)
    open(&builder)
    builder.parts("first", "part", in: first)
    builder.step(
      "put",
      .request(RequestTemplate(url: builder.template("${{ steps.open.url }}/${{ part }}"))))
    builder.endParts(collect: ["names": "${{ part }}"], dependsOn: ["open"])
    builder.parts("second", "part", in: second)
    builder.step(
      "check",
      .request(RequestTemplate(url: builder.template("${{ inputs.server }}/${{ part }}"))))
    builder.endParts(collect: ["names": "${{ part }}"])
    builder.endLoop()
    return builder.pipeline("two-lists")
  }

  private static func open(_ builder: inout PipelineBuilder) {
    builder.step(
      "open",
      .request(RequestTemplate(method: "POST", url: builder.template("${{ inputs.server }}"))),
      outputs: [
        OutputDeclaration(
          name: "url", value: builder.template("${{ response.json.url }}"),
          lifetime: Lifetime(end: .after(builder.expression("duration('10m')")))),
        OutputDeclaration(
          name: "list", value: builder.template("${{ response.json.list }}"), isSecret: true),
      ])
  }
}
