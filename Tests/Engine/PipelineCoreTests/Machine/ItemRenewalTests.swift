import CEL
import MachineSupport
import PipelineCore
import Testing

/// Transfers that ask for a new request, and what their own item made for them.
struct ItemRenewalTests {
  @Test func `a challenge of an item's own credential is left to the matchers, however old it is`()
    throws
  {
    let run = sending()
    try ask(run, .challenge, at: 700)
    run.expect("as it was, 0/0 send 1.1")
  }

  @Test func `a transfer does not start with an item's own credential that has expired`() throws {
    let run = sending()
    try ask(run, .begin, at: 700)
    run.expect("interrupt 0/0 send 1.1")
  }

  @Test func `a transfer starts with all valid results of its item`() throws {
    let run = sending()
    try ask(run, .begin, at: 1)
    run.expect("request of 0/0 send 1.1")
  }

  @Test func `a transfer cannot start without a secret that was lost with its process`() throws {
    let run = sending(isSecret: true)
    run.crash(at: 1)
    run.expect("adopt 0/0 send 1.1")
    try ask(run, .begin, at: 2)
    run.expect("interrupt 0/0 send 1.1")
  }

  @Test func `a challenge needs no secret of the URL that was lost with its process`() throws {
    let run = sending(isSecret: true)
    run.crash(at: 1)
    run.expect("adopt 0/0 send 1.1")
    try ask(run, .challenge, at: 2)
    run.expect("as it was, 0/0 send 1.1")
  }

  private func ask(_ run: RunHarness, _ renewal: Renewal, at seconds: Double) throws {
    let id = try #require(run.inFlight("send", of: 0))
    run.send(.renewalRequested(id, renewal), at: seconds)
  }

  /// A transfer whose bearer and URL its item has just made; unless it is a secret, the bearer lives 10 min less 5 s.
  private func sending(isSecret: Bool = false) -> RunHarness {
    var builder = PipelineBuilder()
    builder.input("server", .url)
    builder.input("files", .files)
    let url = "${{ inputs.server }}"
    builder.loop("item")
    for id in ["ticket", "allocate"] {
      builder.step(
        id, .request(RequestTemplate(method: "POST", url: builder.template(url))),
        outputs: [
          OutputDeclaration(
            name: "id", value: builder.template("${{ response.json.id }}"), isSecret: isSecret)
        ])
    }
    builder.step(
      "send",
      .upload(
        UploadTemplate(
          request: RequestTemplate(
            method: "PUT", url: builder.template(url + "/${{ steps.allocate.id }}"),
            authorization: .bearer(builder.template("${{ steps.ticket.id }}"))),
          file: builder.expression("item"),
          transfer: TransferPolicy(renewals: [.begin, .challenge]))))
    builder.endLoop()
    let run = RunHarness(builder.pipeline("sending"), files: [10])
    run.send(.runBegan)
    run.load()
    let made = Verdict.ok(OutputValue(value: .string("made"), isSecret: isSecret))
    run.answer("ticket", of: 0, isSecret ? made : .upload("ticket"))
    run.answer("allocate", of: 0, made)
    run.pass()
    return run
  }
}
