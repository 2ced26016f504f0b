public import PipelineCore

extension SmallPipelines {
  /// For each file a request that counts towards the rate `init`, and one that counts only towards all; undoing counts towards
  /// `init` as well.
  public static func paced(
    _ rates: [Rate], concurrency: Int = 2, effect: Step.ServerEffect = .repeatable,
    hasProbe: Bool = false, undo: Bool = false, retry: RetryPolicy = .prompt
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(rates: rates))
    builder.input("server", .url)
    builder.input("files", .files)
    let url = "${{ inputs.server }}"
    func request(_ method: String, _ path: String, rate: String? = nil) -> RequestTemplate {
      RequestTemplate(method: method, url: builder.template(url + path), rate: rate)
    }
    let (start, mark) = (request("POST", "/init", rate: "init"), request("GET", "/mark"))
    let (state, delete) = (request("GET", "/state"), request("DELETE", "/init", rate: "init"))
    builder.loop("item", concurrency: concurrency)
    let probe = hasProbe ? builder.probe(state, tookEffect: "response.json.ok") : nil
    builder.step(
      "init", .request(start),
      outputs: [OutputDeclaration(name: "id", value: builder.template("${{ response.json.id }}"))],
      retry: retry, effect: effect, key: effect == .create && !hasProbe ? "Key" : nil, probe: probe)
    builder.step("mark", .request(mark), retry: retry, dependsOn: ["init"])
    if undo { builder.onAbandon(delete) }
    builder.endLoop()
    return builder.pipeline("paced")
  }

  /// For each file two requests of a batch, at a rate; then, if asked for, a request that counts only towards all.
  public static func pacedBatch(
    _ rate: Rate, items: Int = 2, concurrency: Int = 4, mark: Bool = false
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(rates: [rate]))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: concurrency)
    builder.step(
      "send",
      .request(
        RequestTemplate(
          method: "POST", url: builder.template("${{ inputs.server }}"),
          body: .json(.template(builder.template("${{ batch.entries }}"))), rate: rate.name)),
      retry: .prompt,
      batch: BatchPolicy(
        items: items, within: .seconds(5), entry: .template(builder.template("${{ item.index }}")),
        result: builder.expression("response.json.results[batch.index]"),
        matchers: [
          builder.matcher("batch.result.ok", .success), builder.matcher(nil, .retry),
        ]))
    if mark {
      builder.step(
        "mark", .request(RequestTemplate(url: builder.template("${{ inputs.server }}/mark"))),
        dependsOn: ["send"])
    }
    builder.endLoop()
    return builder.pipeline("paced-batch")
  }

  /// For each file a request, its transfer, one at a time, and another request, all of which count towards one rate.
  public static func pacedTransfers(_ rate: Rate, concurrency: Int = 3) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(transfers: 1, rates: [rate]))
    builder.input("server", .url)
    builder.input("files", .files)
    func request(_ method: String) -> RequestTemplate {
      RequestTemplate(
        method: method, url: builder.template("${{ inputs.server }}"), rate: rate.name)
    }
    builder.loop("item", concurrency: concurrency)
    builder.step("first", .request(request("POST")))
    builder.step(
      "upload", .upload(UploadTemplate(request: request("PUT"), file: builder.expression("item"))),
      dependsOn: ["first"])
    builder.step("mark", .request(request("GET")), dependsOn: ["upload"])
    builder.endLoop()
    return builder.pipeline("paced-transfers")
  }
}
