import PipelineDocument
import CEL

extension Grammar {
  /// Keys of conditions, which are valid in timeline entries too.
  static let conditionKeys = [
    Key(
      "network", .choice(ScenarioConditions.Network.allCases.map(\.rawValue)),
      "The network connection.", examples: ["wifi"]),
    Key("bandwidth", .rate, "Bytes per second that all transfers share.", examples: ["5 MB/s"]),
    Key("latency", .duration, "Time that the network adds to each response.", examples: ["80ms"]),
    Key("loss", .fraction, "The chance that a connection breaks.", examples: [0.01]),
    Key(
      "expensive", .flag,
      "Whether the connection is expensive (DI8). By default mobile data is and Wi-Fi is not."),
    Key("constrained", .flag, "Whether the user has turned on low-data mode (DI8)."),
    Key("power", .flag, "Whether the device is charging (DI3)."),
    Key("battery", .fraction, "Battery level (DI6).", examples: [0.8]),
    Key("low_power_mode", .flag, "Whether the user has turned on low-power mode (DI6)."),
    Key("locked", .flag, "Whether the device is locked (TX18)."),
  ]
  private static let freeKey = Key(
    "free", .size, "Free space for files written by the run.", examples: ["500 MB"])
  private static let actionKey = Key(
    "do", .choice(ScenarioAction.allCases.map(\.rawValue)), "An event that happens once.",
    examples: ["force_quit"])
  private static let clockKeys = [
    Key(
      "clock_forward", .duration, "The device's wall clock is put forward by this much.",
      examples: ["2h"]),
    Key(
      "clock_back", .duration, "The device's wall clock is put back by this much.", examples: ["2h"]
    ),
  ]
  private static let openKey = Key(
    "open", .duration, "The user opens the app, and leaves it after this time.", examples: ["2m"])

  static let conditions = Construct(
    name: .conditions, phrase: "'conditions'", summary: "Conditions around a device.",
    keys: conditionKeys)

  static let timelineEntry = Construct(
    name: .timelineEntry, phrase: "an entry of the timeline",
    summary: """
      An action of the user or the environment: `open` the app, `do` something, change the clock, or set conditions for a period. \
      If conditions overlap, those of a `day` take precedence over those of `days`, and these over those of every \
      day.
      """,
    keys: [
      Key("at", .pattern(clockPattern), "Time of day, UTC.", examples: ["08:10"]),
      Key(
        "from", .pattern(clockPattern), "Time of day at which conditions begin.",
        examples: ["23:00"]),
      Key(
        "to", .pattern(clockPattern),
        "Time of day at which they end; on the next day if it is before `from`.",
        examples: ["07:00"]),
      Key("after", .duration, "Time after the start.", examples: ["2h30m"]),
      Key(
        "for", .duration, "How long conditions last, starting at `at` or `after`.",
        examples: ["30m"]),
      Key(
        "days", .filledList(.choice(TimelineEntry.Weekday.allCases.map(\.rawValue))),
        "Days of the week. By default every day.", examples: [["mon", "tue"]]),
      Key("day", .integer(minimum: 1), "A single day by its number, from 1.", examples: [3]),
      openKey, actionKey,
    ] + clockKeys + conditionKeys + [
      freeKey,
      Key("jitter", .duration, "Maximum random shift, earlier or later.", default: "0s"),
      Key("chance", .fraction, "The chance that it happens at all.", default: 1),
    ],
    alternatives: [.exactlyOne("at", "from", "after"), .atMostOne("day", "days", "after")],
    reserved: ["every", "until"])

  static let randomEntry = Construct(
    name: .randomEntry, phrase: "an entry of 'random'",
    summary: "An event that recurs at random. The intervals are exponentially distributed.",
    keys: [
      Key("every", .duration, "Mean interval.", isRequired: true, examples: ["6h"]),
      Key(
        "for", .either([.duration, .construct(.durationSpread)]), "How long conditions last.",
        examples: ["5m"]),
      openKey, actionKey,
    ] + clockKeys + conditionKeys + [freeKey],
    reserved: ["at", "from", "to", "days", "day", "jitter"])
}
