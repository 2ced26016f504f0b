import CEL
public import PipelineCore

extension SmallPipelines {
  /// Sign in; for each file its transfer, authorized by the token,
  /// which asks for a new request according to `renewals`.
  ///
  /// With `allocating` an upload ID, which is valid for 10 min less 5 s, is in the URL; with `session` a
  /// run-level ID with the same lifetime is.
  public static func renewing(
    _ renewals: Set<Renewal>, earliest: String? = nil, allocating: Bool = false,
    session: Bool = false, inRunScope: Bool = false, concurrency: Int = 2, reissueLimit: Int = 10,
    effect: Step.ServerEffect = .repeatable, rates: [Rate] = []
  ) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(rates: rates))
    builder.input("server", .url)
    builder.input("files", .files)
    builder.input("file", .file)
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
      ], reissueLimit: reissueLimit)
    let token = RequestTemplate.Authorization.bearer(
      builder.template("${{ steps.sign_in.token }}"))
    func identifier(_ id: String) {
      builder.step(
        id,
        .request(
          RequestTemplate(
            method: "POST", url: builder.template(url + "/" + id), authorization: token)),
        outputs: [
          OutputDeclaration(
            name: "id", value: builder.template("${{ response.json.id }}"),
            lifetime: Lifetime(
              end: .after(builder.expression("duration('600s')")), skew: .seconds(5)))
        ], reissueLimit: reissueLimit)
    }
    if session { identifier("open") }
    if !inRunScope { builder.loop("item", concurrency: concurrency) }
    if allocating { identifier("allocate") }
    var address = url
    if session { address += "/${{ steps.open.id }}" }
    if allocating { address += "/${{ steps.allocate.id }}" }
    builder.step(
      "send",
      .upload(
        UploadTemplate(
          request: RequestTemplate(
            method: "PUT", url: builder.template(address), authorization: token),
          file: builder.expression(inRunScope ? "inputs.file" : "item"),
          transfer: TransferPolicy(
            earliest: earliest.map { builder.expression($0) }, renewals: renewals))),
      effect: effect)
    if !inRunScope { builder.endLoop() }
    return builder.pipeline("renewing")
  }
}
