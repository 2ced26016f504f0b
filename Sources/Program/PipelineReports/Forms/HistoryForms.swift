/// The events of a history; ``HistoryRecord`` writes them by these descriptions.
package enum HistoryForms {
  package static let events = runEvents + itemEvents

  private static func event(
    _ name: String, _ summary: String, _ members: OutputMember..., then rest: [OutputMember] = []
  ) -> OutputEvent {
    OutputEvent(
      name, summary,
      [
        .always("sequence", .count, "The checkpoint that the event is part of, from 1."),
        .always("at", .time, "When it happened."),
      ] + members + rest)
  }

  private static let loop = OutputMember.always("loop", .count, "The loop, from 0.")

  private static let runEvents = [
    event("run_began", "The run was created."), event("run_resumed", "A process acquired the run."),
    event("timer_fired", "A timer fired that something was waiting for."),
    event(
      "allowance_granted", "The system lets the process run.",
      .maybe("until", .time, "Until when, if known.")),
    event("allowance_expiring", "The process must stop soon."),
    event("pause_requested", "The user or the system requests to pause the run.", then: failure),
    event("unpaused", "The run continues."),
    event("cancel_requested", "The user requests to cancel the run."),
    event(
      "limits_known", "The limits of the process.",
      .maybe("exchanges", .count, "Maximum number of concurrent exchanges."),
      .maybe(
        "network_timeout_seconds", .amount, "How long to wait for a network.",
        stored: "network_timeout"),
      .maybe("sends_pieces", .flag, "Whether bodies are sent from where their pieces are."),
      .maybe("worker", .text, "The worker's name, in a database."),
      .maybe("shares", .count, "How many shards divide the server's limits, if more than one.")),
    event(
      "shares_changed", "The server's limits are divided again.",
      .always("shares", .count, "How many shards divide them.")),
    event(
      "server_time_read", "A response shows by how much the server's clock is ahead.",
      .always("host", .text, "The server."),
      .always(
        "offset_low_seconds", .number, "At least this many seconds; negative if it is behind.",
        stored: "low"),
      .always("offset_high_seconds", .number, "At most this many seconds.", stored: "high")),
    event(
      "items_enumerated", "The list of a loop's items is complete.", loop,
      .always("count", .count, "Number of items.")),
    event("enumeration_failed", "A loop's items cannot be listed.", loop, then: failure),
    event(
      "items_loaded", "Items were read from the store.", loop,
      .always("loaded", .list(.text), "The items, as `LOOP/NUMBER`.", stored: "ordinals"),
      .always("last", .flag, "Whether no more can be read.")),
    event("load_failed", "Items cannot be read from the store.", loop, then: failure),
    event(
      "items_requeued", "The user requested a retry of items.", loop,
      .always("paused", .count, "Items that were paused."),
      .always("failed", .count, "Items that had failed.")),
  ]

  private static let itemEvents = [
    event(
      "concluded", "An attempt, a probe or a request of `on_abandon` has ended.",
      then: effect + outcome),
    event(
      "redirected", "A request was redirected, and sent to other addresses.",
      then: effect + [
        .always(
          "hops",
          .list(
            .object([
              .always("status", .count, "The status that redirected."),
              .always("address", .text, "The address that responded with it, without its query."),
            ])), "The redirects that were followed, in order.")
      ]),
    event(
      "moved",
      "An attempt moved bytes of its file or body, possibly including bytes that were moved before.",
      then: effect + [.always("from", .count, "Their start."), .always("to", .count, "Their end.")]),
    event(
      "renewal_asked", "A transfer requires a new request before it continues.",
      then: effect + [.always("renewal", .words(Renewal.self), "Which request it needs.")]),
    event(
      "files_discarded", "Files that steps had created were removed.",
      then: key + [.always("bytes", .count, "Their bytes.")]),
    event("not_undone", "An item ended and left effects on the server.", then: key + failure),
  ]

  // MARK: Parts

  /// The subject of an event.
  private static let key: [OutputMember] = [
    .maybe("item", .text, ItemForm.itemKeySummary + " Absent for the run's own steps."),
    .maybe("part", .count, "The part of the item, from 0."),
    .maybe("part_of", .text, "The ID of the step whose part it is.", stored: "parts"),
    .maybe("part_generation", .count, "The generation of that step.", stored: "parts_generation"),
  ]

  private static let effect: [OutputMember] =
    key + [
      .maybe("step", .text, "The step's ID; absent for a request of `on_abandon`."),
      .maybe("generation", .count, "How many times the step was issued, from 1."),
      .maybe("compensation", .flag, "True for a request of `on_abandon`."),
      .always("attempt", .count, "The attempt, from 1."),
    ]

  private static let failure: [OutputMember] = [
    .maybe("reason", .text, "Why.", stored: "message"),
    .maybe("http_status", .count, "The HTTP status of the response.", stored: "status"),
    .maybe("lacking", .words(Lack.self), "The resource that was missing on this computer."),
    .maybe("response", ResponseForm.shape, ResponseForm.summary),
  ]

  private static let verdicts = [
    "success", "results", "retry", "expired", "fail", "pause", "pause_run", "unknown", "stale",
    "unavailable", "poll", "interrupted", "not_done", "item_done", "item_skipped",
  ]

  /// How an attempt ended, for one item.
  private static let verdict: [OutputMember] =
    [.always("verdict", .word(verdicts), "How it ended.")] + failure + [
      .maybe("seconds", .amount, "Its duration.", stored: "milliseconds"),
      .maybe("bytes", .count, "Bytes of the body that was moved."),
      .maybe(
        "outputs",
        .map(
          .object([
            .maybe("value", .anything, "The value, unless it is secret."),
            .maybe("secret", .flag, "True if it is secret."),
            .maybe("sealed", .text, "The encrypted value of a sealed output."),
            .maybe("expires", .time, "When it expires."),
            .maybe("stale", .time, "From when on it is issued again before it is used."),
            .maybe(
              "slide_seconds", .amount, "Its lifetime, which starts over with each use.",
              stored: "slide"),
          ])), "The step's outputs, by name."),
      .maybe(
        "file",
        .object(
          [
            .always("path", .text, "Its path."), .always("name", .text, "Its name."),
            .maybe(
              "relative", .text, "Its path below the folder of its glob, if that is not its name."),
            .always("size", .count, "Its bytes."),
            .always("modified", .time, "When it was modified."),
            .maybe("type", .text, "Its media type."),
          ]
            + DigestAlgorithm.allCases.map {
              .maybe($0.rawValue, .text, "Its digest, in hexadecimal.")
            }), "The file that the step created."),
      .maybe("after", .time, "The earliest time of the next attempt."),
      .maybe(
        "slower_seconds", .amount, "By how much the delays between polls grow.", stored: "slower"),
      .maybe("words", .text, "The server's message to the user."),
      .maybe("expired", .text, "The ID of the step whose result the server no longer accepts."),
      .maybe("progressed", .flag, "True if it failed after making more progress than before."),
      .maybe("uncertain", .flag, "True if an earlier attempt may have taken effect."),
    ]

  private static let outcome: [OutputMember] =
    verdict + [
      .maybe("results", .list(.object(verdict)), "Of a batch: how it ended for each item."),
      .maybe("again", .text, "Why the step was issued again, in the first event of a generation."),
    ]
}
