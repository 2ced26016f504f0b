public import PipelineCore

/// Pipelines in which many things meet: too large to be explored, and made for walks.
extension SmallPipelines {
  /// An album: many steps for each photo, and a request for two photos at once.
  ///
  /// Sign in and open an album; for each photo a copy, an allocation, a step that is skipped, a transfer that may ask for
  /// its request again, and one request for two photos; then close the album. Abandoned items are undone with the token.
  ///
  /// Tokens live 1 h less 60 s, albums and allocations 10 min less 5 s. With `hasProbe` the allocation is asked about, else it
  /// has a key.
  public static func album(
    hasProbe: Bool, disk: Int64 = 25, transfers: Int = 1, failures: Loop.Failures = .stop,
    probeUntil: Duration = .zero
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: disk, transfers: transfers))
    let token = signIn(&builder)
    let url = "${{ inputs.server }}"
    func post(_ path: String) -> RequestTemplate {
      RequestTemplate(
        method: "POST", url: builder.template(url + path), authorization: token)
    }
    builder.step(
      "album", .request(post("/albums")), outputs: [identifier(builder)], retry: .slow,
      effect: .create, key: "Idempotency-Key", reissueLimit: 3)
    builder.loop("photo", concurrency: 3, failures: failures)
    builder.step(
      "copy",
      .materialize(MaterializeTemplate(source: .file(builder.expression("photo"), range: nil))))
    let state = RequestTemplate(
      url: builder.template(url + "/${{ photo.name }}"), authorization: token)
    let probe =
      hasProbe
      ? builder.probe(
        state, tookEffect: "response.json.done == true", after: .seconds(3), until: probeUntil)
      : nil
    builder.step(
      "allocate", .request(post("/uploads")), outputs: [identifier(builder)], retry: .slow,
      effect: .create, key: hasProbe ? nil : "Idempotency-Key", probe: probe, reissueLimit: 3)
    builder.step(
      "tag", .request(post("/tags/${{ steps.allocate.id }}")), if: "steps.allocate.id == 'other'",
      retry: .slow)
    builder.step(
      "upload",
      .upload(
        UploadTemplate(
          request: RequestTemplate(
            method: "PUT", url: builder.template(url + "/${{ steps.allocate.id }}"),
            authorization: token),
          file: builder.expression("steps.copy.file"),
          transfer: TransferPolicy(renewals: [.challenge]))),
      retry: .slow, dependsOn: ["tag"])
    builder.step(
      "finalize", .request(post("/albums/${{ steps.album.id }}/photos")), retry: .slow,
      effect: .create, key: "Idempotency-Key", dependsOn: ["upload"],
      batch: BatchPolicy(
        items: 2, within: .seconds(30),
        entry: .template(builder.template("${{ steps.allocate.id }}")),
        result: builder.expression("response.json.results[batch.index]"),
        matchers: [
          builder.matcher("batch.result.ok", .success), builder.matcher(nil, .retry),
        ]))
    builder.onAbandon(
      RequestTemplate(
        method: "DELETE", url: builder.template(url + "/${{ steps.allocate.id }}"),
        authorization: token))
    builder.endLoop()
    builder.step("close", .request(post("/albums/${{ steps.album.id }}/close")), retry: .slow)
    return builder.pipeline("album")
  }

  /// Opens something once, names it if so wished, sends each element of a list with its ID, which lasts 10 min less 5 s, and closes it.
  ///
  /// With `isKeyed`, the requests create something under a key.
  public static func opened(
    isNamed: Bool = false, isKeyed: Bool = false, list: String = "inputs.files"
  )
    -> Pipeline
  {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    func post(_ path: String) -> RequestTemplate {
      RequestTemplate(method: "POST", url: builder.template("${{ inputs.server }}" + path))
    }
    builder.step(
      "open", .request(post("/opened")), outputs: [identifier(builder)], retry: .slow,
      effect: .create, key: "Idempotency-Key")
    if isNamed { builder.step("name", .request(post("/${{ steps.open.id }}/name"))) }
    builder.loop("file", in: list, concurrency: isKeyed ? 2 : 1)
    builder.step(
      "send", .request(post("/${{ steps.open.id }}")), retry: isKeyed ? .prompt : .slow,
      effect: isKeyed ? .create : .repeatable, key: isKeyed ? "Key" : nil)
    builder.endLoop()
    builder.step("close", .request(post("/${{ steps.open.id }}/close")), retry: .slow)
    return builder.pipeline("opened")
  }

  /// Opens something once if there is a certain token, and sends each file with the token.
  public static func optionallyOpened() -> Pipeline {
    var builder = PipelineBuilder()
    let session = signIn(&builder)
    func post(_ path: String) -> RequestTemplate {
      RequestTemplate(
        method: "POST", url: builder.template("${{ inputs.server }}" + path), authorization: session
      )
    }
    builder.step(
      "open", .request(post("/opened")), if: "steps.sign_in.token == 'admin'", effect: .create,
      key: "Idempotency-Key")
    builder.loop("file", concurrency: 1)
    builder.step("send", .request(post("/file")), retry: .slow)
    builder.endLoop()
    return builder.pipeline("optionally-opened")
  }

  /// A session, a token that is derived from it where it is declared,
  /// and for each item an effect that is created with the token and undone with it.
  public static func credentials(
    if condition: String? = nil, signInEffect: Step.ServerEffect = .repeatable,
    reissueLimit: Int = 3
  ) -> Pipeline {
    var builder = PipelineBuilder()
    let session = signIn(&builder, effect: signInEffect, reissueLimit: reissueLimit)
    builder.step(
      "token",
      .request(
        RequestTemplate(
          method: "POST", url: builder.template("${{ inputs.server }}/token"),
          authorization: session)),
      if: condition,
      outputs: [
        OutputDeclaration(
          name: "value", value: builder.template("${{ response.json.token }}"), isSecret: true,
          lifetime: Lifetime(end: .after(builder.expression("duration('600s')"))))
      ], retry: .slow, reissueLimit: reissueLimit)
    let token = RequestTemplate.Authorization.bearer(
      builder.template("${{ steps.token.value }}"))
    builder.loop("item", concurrency: 2)
    let request = RequestTemplate(
      method: "POST", url: builder.template("${{ inputs.server }}/${{ item.name }}"),
      authorization: token)
    builder.step(
      "send", .request(request), retry: .slow, effect: .create, key: "Idempotency-Key")
    builder.step("mark", .request(request), retry: .slow)
    builder.onAbandon(request)
    builder.endLoop()
    return builder.pipeline("credentials")
  }

  /// Declares the inputs and the step `sign_in`, and returns the authorization with its token.
  private static func signIn(
    _ builder: inout PipelineBuilder, effect: Step.ServerEffect = .repeatable, reissueLimit: Int = 3
  ) -> RequestTemplate.Authorization {
    builder.input("server", .url)
    builder.input("files", .files)
    builder.input("password", .secret)
    builder.step(
      "sign_in",
      .request(
        RequestTemplate(method: "POST", url: builder.template("${{ inputs.server }}/login"))),
      outputs: [
        OutputDeclaration(
          name: "token", value: builder.template("${{ response.json.token }}"), isSecret: true,
          lifetime: Lifetime(
            end: .after(builder.expression("duration('3600s')")), skew: .seconds(60)))
      ], retry: .slow, effect: effect, reissueLimit: reissueLimit)
    return .bearer(builder.template("${{ steps.sign_in.token }}"))
  }

  private static func identifier(_ builder: PipelineBuilder) -> OutputDeclaration {
    OutputDeclaration(
      name: "id", value: builder.template("${{ response.json.id }}"),
      lifetime: Lifetime(
        end: .after(builder.expression("duration('600s')")), skew: .seconds(5)))
  }
}

extension RetryPolicy {
  /// Three attempts within 5 min, 4 s doubling to 60 s without jitter, then pause.
  public static let slow = RetryPolicy(
    attempts: 3, initial: .seconds(4), factor: 2, maximum: .seconds(60), jitter: .none,
    elapsed: .seconds(300))
}
