public import PipelineCore

extension SmallPipelines {
  /// For each file an allocation, then one request for a batch of them, then a mark.
  ///
  /// Allocated IDs are valid for 10 min less 5 s. Without `key` and without a probe a repeat does no
  /// harm, unless `effect` declares it. With `session` a run-level step comes before all;
  /// with `keepsFiles` the mark needs the copy as well. The mark reads outputs that are `isSecret`.
  public static func batch(
    items: Int = 2, within: Duration = .seconds(30), concurrency: Int = 2, disk: Int64? = nil,
    retry: RetryPolicy = .prompt, key: String? = "Idempotency-Key", hasProbe: Bool = false,
    probeUntil: Duration = .zero, undo: Bool = false, mark: Bool = true, session: Bool = false,
    effect: Step.ServerEffect? = nil,
    isSecret: Bool = false, reissueLimit: Int = 10, keepsFiles: Bool = false
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: disk))
    builder.input("server", .url)
    builder.input("files", .files)
    let url = "${{ inputs.server }}"
    if session { open(url, &builder) }
    builder.loop("item", concurrency: concurrency)
    if disk != nil {
      let copy = MaterializeTemplate(source: .file(builder.expression("item"), range: nil))
      builder.step("copy", .materialize(copy))
    }
    builder.step(
      "allocate",
      .request(RequestTemplate(method: "POST", url: builder.template(url + "/uploads"))),
      outputs: [
        OutputDeclaration(
          name: "id", value: builder.template("${{ response.json.id }}"),
          lifetime: Lifetime(
            end: .after(builder.expression("duration('600s')")), skew: .seconds(5)))
      ], retry: retry, dependsOn: disk == nil ? [] : ["copy"], reissueLimit: reissueLimit)
    func post(_ path: String) -> RequestTemplate {
      RequestTemplate(
        method: "POST", url: builder.template(url + path),
        body: .json(.template(builder.template("${{ batch.entries }}"))))
    }
    let (request, state) = (post("/finalize"), post("/states"))
    let probe =
      hasProbe
      ? builder.probe(state, tookEffect: "response.json.results[0].ok", until: probeUntil) : nil
    let policy = members(items, within, &builder)
    builder.step(
      "finalize", .request(request),
      outputs: [
        OutputDeclaration(
          name: "tag", value: builder.template("${{ batch.result.tag }}"), isSecret: isSecret)
      ], retry: retry, effect: effect ?? (key != nil || hasProbe ? .create : .repeatable),
      key: hasProbe ? nil : key, probe: probe, dependsOn: session ? ["session"] : [], batch: policy)
    if mark {
      let name = isSecret ? "/${{ steps.finalize.tag }}" : "/mark"
      builder.step(
        "mark", .request(RequestTemplate(url: builder.template(url + name))), retry: retry,
        dependsOn: ["finalize"] + (keepsFiles ? ["copy"] : []))
    }
    if undo {
      builder.onAbandon(
        RequestTemplate(
          method: "DELETE", url: builder.template(url + "/${{ steps.allocate.id }}")),
        undoes: ["finalize"])
    }
    builder.endLoop()
    return builder.pipeline("batch")
  }

  private static func open(_ url: String, _ builder: inout PipelineBuilder) {
    builder.step(
      "session", .request(RequestTemplate(url: builder.template(url + "/session"))),
      outputs: [
        OutputDeclaration(name: "id", value: builder.template("${{ response.json.id }}"))
      ])
  }

  private static func members(
    _ items: Int, _ within: Duration, _ builder: inout PipelineBuilder
  ) -> BatchPolicy {
    BatchPolicy(
      items: items, within: within,
      entry: .template(builder.template("${{ steps.allocate.id }}")),
      result: builder.expression("response.json.results[batch.index]"),
      matchers: [
        builder.matcher("batch.result.ok", .success),
        builder.matcher("batch.result.gone", .expired(builder.index("allocate"))),
        builder.matcher(nil, .retry),
      ])
  }

  /// For each file one request with the others that have the same value of `by`, and no more than `bytes` together.
  ///
  /// A file counts with its size.
  public static func grouped(
    items: Int = 2, by: String? = nil, isSerial: Bool = false, bytes: Int64? = nil,
    concurrency: Int = 4, hasKey: Bool = true
  ) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: concurrency)
    builder.step(
      "send",
      .request(
        RequestTemplate(
          method: "POST", url: builder.template("${{ inputs.server }}"),
          body: .json(.template(builder.template("${{ batch.entries }}"))))),
      retry: .prompt, effect: hasKey ? .create : .repeatable, key: hasKey ? "Key" : nil,
      batch: BatchPolicy(
        items: items, within: .seconds(5), by: by.map { builder.expression($0) },
        isSerial: isSerial,
        bytes: bytes.map { .init(limit: $0, size: builder.expression("item.size")) },
        entry: .template(builder.template("${{ item.index }}")),
        result: builder.expression("response.json.results[batch.index]"),
        matchers: [
          builder.matcher("batch.result.ok", .success), builder.matcher(nil, .retry),
        ]))
    builder.endLoop()
    return builder.pipeline("grouped")
  }
}
