public import PipelineCore

/// Pipelines that are as small as the thing they show lets them be.
public enum SmallPipelines {
  /// Sign in; for each photo allocate, make the body, upload it, finalize; undo the allocation of abandoned items.
  ///
  /// The token is secret, a credential, and lives 1 h less 60 s; an upload ID lives 10 min less 5 s. Whether
  /// finalizing took effect is determined by a probe, or with `isKeyed` by a repeat under its key.
  public static func photos(
    concurrency: Int = 2, budgets: Budgets = Budgets(), retry: RetryPolicy = .prompt,
    reissueLimit: Int = 10, isKeyed: Bool = false
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: budgets)
    builder.input("server", .url)
    builder.input("files", .files)
    builder.input("password", .secret)
    let url = "${{ inputs.server }}"
    builder.step(
      "sign_in",
      .request(RequestTemplate(method: "POST", url: builder.template(url + "/login"))),
      outputs: [
        OutputDeclaration(
          name: "token", value: builder.template("${{ response.json.token }}"), isSecret: true,
          lifetime: Lifetime(
            end: .after(builder.expression("duration('3600s')")), skew: .seconds(60)))
      ], retry: retry, reissueLimit: reissueLimit)
    let token = RequestTemplate.Authorization.bearer(
      builder.template("${{ steps.sign_in.token }}"))
    builder.loop("photo", concurrency: concurrency)
    builder.step(
      "allocate",
      .request(
        RequestTemplate(
          method: "POST", url: builder.template(url + "/uploads"), authorization: token)),
      outputs: [
        OutputDeclaration(
          name: "upload_id", value: builder.template("${{ response.json.id }}"),
          lifetime: Lifetime(
            end: .after(builder.expression("duration('600s')")), skew: .seconds(5)))
      ], retry: retry, effect: .create, key: "Idempotency-Key", reissueLimit: reissueLimit)
    let address = url + "/uploads/${{ steps.allocate.upload_id }}"
    builder.step("body", body(builder), retry: retry)
    let expired = builder.matcher(
      "response.status in [404, 410]", .expired(builder.index("allocate")))
    builder.step(
      "upload",
      .upload(
        UploadTemplate(
          request: RequestTemplate(
            method: "POST", url: builder.template(address + "/content"), authorization: token),
          file: builder.expression("steps.body.file"))),
      on: [expired], retry: retry)
    let state = RequestTemplate(url: builder.template(address), authorization: token)
    let probe = builder.probe(state, tookEffect: "response.json.state == 'complete'")
    builder.step(
      "finalize",
      .request(
        RequestTemplate(
          method: "POST", url: builder.template(address + "/finalize"), authorization: token)),
      retry: retry, effect: .create, key: isKeyed ? "Key" : nil, probe: isKeyed ? nil : probe,
      dependsOn: ["upload"])
    builder.onAbandon(
      RequestTemplate(
        method: "DELETE", url: builder.template(address), authorization: token),
      undoes: ["finalize"])
    builder.endLoop()
    return builder.pipeline("photos")
  }

  private static func body(_ builder: PipelineBuilder) -> Step.Action {
    .materialize(
      MaterializeTemplate(
        source: .multipart([
          .init(name: "name", content: .text(builder.template("${{ photo.name }}"))),
          .init(
            name: "file", content: .file(builder.expression("photo"), range: nil, filename: nil)),
        ])))
  }

  /// For each file one request, as the test specifies it.
  public static func single(
    concurrency: Int = 2, waiting: Int? = nil, retry: RetryPolicy = .prompt,
    effect: Step.ServerEffect = .repeatable, key: String? = nil, hasProbe: Bool = false,
    probeAfter: Duration = .zero, undo: Bool = false, budgets: Budgets = Budgets(),
    rate: String? = nil, hasPassword: Bool = false
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: budgets)
    builder.input("server", .url)
    builder.input("files", .files)
    if hasPassword { builder.input("password", .secret) }
    builder.loop("item", concurrency: concurrency, waiting: waiting)
    let url = builder.template("${{ inputs.server }}/${{ item.name }}")
    let request = RequestTemplate(method: "POST", url: url)
    let first = RequestTemplate(
      method: "POST", url: url,
      authorization: hasPassword
        ? .bearer(builder.template("${{ inputs.password }}")) : nil, rate: rate)
    let probe =
      hasProbe
      ? builder.probe(
        RequestTemplate(url: builder.template("${{ inputs.server }}/${{ item.name }}")),
        tookEffect: "response.json.done == true", after: probeAfter) : nil
    builder.step(
      "send", .request(first), retry: retry, effect: effect, key: key, probe: probe)
    builder.step("mark", .request(request), retry: retry)
    if undo { builder.onAbandon(request, undoes: ["send"]) }
    builder.endLoop()
    return builder.pipeline("single")
  }

  /// For each file a session that is created under a key, and a request into it; then, if asked for, a request for the run.
  ///
  /// A session lives 10 min, or until the server reports that it is gone. One that is replaced is undone. With `key` or a
  /// probe, the request creates something.
  public static func sessions(
    concurrency: Int = 2, hasProbe: Bool = false, key: String? = nil, close: Bool = false,
    rates: [Rate] = []
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(rates: rates))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: concurrency)
    let url = "${{ inputs.server }}"
    builder.step(
      "open",
      .request(RequestTemplate(method: "POST", url: builder.template(url + "/${{ item.name }}"))),
      outputs: [
        OutputDeclaration(
          name: "id", value: builder.template("${{ response.json.id }}"),
          lifetime: Lifetime(
            end: .after(builder.expression("duration('600s')")), skew: .seconds(5)))
      ], effect: .create, key: "Key")
    let session = builder.template(url + "/${{ steps.open.id }}")
    let probe =
      hasProbe
      ? builder.probe(
        RequestTemplate(url: builder.template(url + "/${{ item.name }}")),
        tookEffect: "response.json.done == true") : nil
    builder.step(
      "send", .request(RequestTemplate(method: "PUT", url: session)),
      on: [builder.matcher("response.status == 404", .expired(builder.index("open")))],
      effect: hasProbe || key != nil ? .create : .repeatable, key: key, probe: probe)
    builder.onAbandon(RequestTemplate(method: "DELETE", url: session))
    builder.endLoop()
    if close {
      builder.step(
        "close", .request(RequestTemplate(method: "POST", url: builder.template(url + "/close"))))
    }
    return builder.pipeline("sessions")
  }

  /// A step whose condition reads an input that has no value, in run scope or for each file.
  public static func failing(inRunScope: Bool) -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("nothing", .int)
    builder.input("files", .files)
    let request = RequestTemplate(url: builder.template("${{ inputs.server }}"))
    if inRunScope {
      builder.step("look", .request(request), if: "inputs.nothing == 1")
    }
    builder.loop("item")
    builder.step("send", .request(request))
    if !inRunScope {
      builder.step("look", .request(request), if: "inputs.nothing == 1")
    }
    builder.endLoop()
    return builder.pipeline("failing")
  }

  /// For each file a value that lives 10 min, a step that is skipped unless the value is `other`, and one that reads it.
  public static func conditional() -> Pipeline {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item")
    let request = RequestTemplate(url: builder.template("${{ inputs.server }}"))
    builder.step(
      "look", .request(request),
      outputs: [
        OutputDeclaration(
          name: "kind", value: builder.template("${{ response.text }}"),
          lifetime: Lifetime(end: .after(builder.expression("duration('600s')"))))
      ])
    builder.step("extra", .request(request), if: "steps.look.kind == 'other'")
    builder.step(
      "send",
      .request(RequestTemplate(url: builder.template("http://h/${{ steps.look.kind }}"))),
      dependsOn: ["extra"])
    builder.endLoop()
    return builder.pipeline("conditional")
  }

  /// For each file a copy within the disk budget, then its transfer.
  public static func copies(
    concurrency: Int = 2, disk: Int64? = nil, transfers: Int? = nil, second: Bool = false
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: disk, transfers: transfers))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.loop("item", concurrency: concurrency)
    let copy = Step.Action.materialize(
      MaterializeTemplate(source: .file(builder.expression("item"), range: nil)))
    builder.step("copy", copy)
    if second { builder.step("again", copy, dependsOn: ["copy"]) }
    builder.step(
      "upload",
      .upload(
        UploadTemplate(
          request: RequestTemplate(
            method: "PUT", url: builder.template("${{ inputs.server }}/${{ item.name }}")),
          file: builder.expression("steps.copy.file"))), dependsOn: second ? ["again"] : [])
    builder.endLoop()
    return builder.pipeline("copies")
  }
}
