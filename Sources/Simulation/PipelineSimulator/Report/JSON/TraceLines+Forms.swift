/// The events of a trace with their members, in the order in which ``TraceLines`` has their values.
extension TraceLines {
  package static let forms = deviceForms + stepForms
  static let formsByName = Dictionary(uniqueKeysWithValues: forms.map { ($0.name, $0) })

  private static let time: [OutputMember] = [
    .always("t", .amount, "Seconds after the start."),
    .always("at", .time, "When it happened, by the clock of the simulation."),
  ]

  private static func event(
    _ name: String, _ summary: String, _ members: OutputMember...
  ) -> OutputEvent {
    OutputEvent(name, summary, time + members)
  }

  private static let deviceForms = [
    event(
      "process-began", "The process was started.",
      .always("resumed", .flag, "Whether it acquired an earlier run.")),
    event("process-ended", "The process ended or was killed."),
    event(
      "app", "The app's state changed.",
      .always("state", .words(Timeline.Life.self), "Its state.")),
    event(
      "allowance-granted", "The system lets the process run.",
      .maybe(
        "until", .number, "Until when, in seconds after the start; absent if it is not known.")),
    event("allowance-expiring", "The process must stop soon."),
    event(
      "suspended", "The process was stopped, and stays in memory.",
      .always("transfers", .count, "Number of transfers that continue.")),
    event(
      "woken", "The transfer service resumed the process.",
      .always("delay", .amount, "The resume delay from now on, in seconds.")),
    event(
      "conditions", "The surroundings changed.",
      .always("network", .words(ScenarioConditions.Network.self), "The network."),
      .always("bandwidth", .count, "Bytes in a second."),
      .always("power", .flag, "Whether it is charging."),
      .always("battery", .amount, "The battery's charge, from 0 to 1."),
      .always("expensive", .flag, "Whether the system calls the network expensive."),
      .always("constrained", .flag, "Whether the user has chosen to save data."),
      .always("low_power_mode", .flag, "Whether the user has chosen to save energy."),
      .always("locked", .flag, "Whether files are locked since the last restart.")),
    event("disk", "Space was used or freed.", .always("bytes", .count, "Bytes in use.")),
    event(
      "clock-changed", "The wall clock was set.",
      .always("by", .number, "By how many seconds; negative if it was set back.")),
    event("device-restarted", "The device was restarted."),
    event("ended", "The simulation ended.", .always("outcome", .text, "How, in words.")),
  ]

  private static let itemNumber = OutputMember.maybe("item", .count, "The item, from 1.")

  /// The subject of an event.
  private static let place: [OutputMember] = [
    itemNumber, .maybe("part", .count, "The part of the item, from 1."),
    .maybe("step", .text, "The step's ID."),
    .maybe("generation", .count, "How many times the step was issued, from 1."),
    .maybe("compensation", .flag, "True for a request of `on_abandon`."),
    .always("attempt", .count, "The attempt, from 1."),
  ]

  private static func step(
    _ name: String, _ summary: String, _ members: OutputMember...
  ) -> OutputEvent { OutputEvent(name, summary, time + place + members) }

  private static let stepForms = [
    step("transfer-queued", "A transfer was handed over.", .always("bytes", .count, "Its bytes.")),
    step(
      "transfer-held", "A transfer does not move.",
      .always("rule", .text, "The rule that holds it (docs/simulation.md).")),
    step("transfer-moves", "A transfer moves."),
    step("transfer-sent", "The server has all of a transfer."),
    step("transfer-over", "A transfer has ended, and the app has not been notified yet."),
    step("transfer-gone", "The app was notified of the end of a transfer."),
    step(
      "transfer-asks", "A transfer requires a new request before it continues.",
      .always("renewal", .words(Renewal.self), "Which request it needs.")),
    step(
      "transfer-renewed", "A transfer that required a new request continues.",
      .always("anew", .flag, "Whether it continues with a new request.")),
    step(
      "sent", "A request was sent.",
      .always("purpose", .words(SimulatedRequest.Purpose.self), "Its purpose."),
      .always("method", .text, "Its method."), .always("url", .text, "Its URL."),
      .always("bytes", .count, "Bytes of its body.")),
    step(
      "odd", "The server or the network did something that the response does not show.",
      .always("what", .words(SimulatedResponse.Oddity.self), "Its description.")),
    step(
      "answered", "A response came, or an error instead.",
      .always("status", .count, "The HTTP status; 0 without a response."),
      .maybe("error", .text, "Why there is no response.")),
    step("interrupted", "The process ended before the response came."),
    step("concluded", "An attempt has ended.", .always("verdict", .text, "How, in a word.")),
    step("wrote", "A file was created.", .always("bytes", .count, "Its bytes.")),
    step("write-failed", "A file cannot be created.", .always("reason", .text, "Why.")),
    step("reissued", "A step was issued again.", .always("cause", .text, "Why, in words.")),
    event(
      "blocked", "The reason of the wait of an item, or of the run, has changed.", itemNumber,
      .always("on", .words(Tally.Stall.self), "For what, in a word."),
      .always("for", .text, "For what, in words.")),
    event(
      "item-left", "An item has ended or is paused.",
      itemNumber, .always("status", .word(Item.Status.allCases.map(\.word)), "Its state."),
      .maybe("reason", .text, "Why it is paused, failed or skipped.")),
  ]
}
