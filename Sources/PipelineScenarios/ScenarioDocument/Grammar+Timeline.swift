import PipelineDocument
import CEL

/// The keys of a scenario's timeline.
extension Grammar {
  /// Keys of conditions, which stand in entries of a timeline too.
  static let conditionKeys = [
    Key(
      "network", .choice(ScenarioConditions.Network.allCases.map(\.rawValue)),
      "The way to the net.", examples: ["wifi"]),
    Key("bandwidth", .rate, "Bytes per second that all transfers share.", examples: ["5 MB/s"]),
    Key("latency", .duration, "Time that the way adds to each answer.", examples: ["80ms"]),
    Key("loss", .fraction, "How often a connection breaks.", examples: [0.01]),
    Key(
      "expensive", .flag,
      "Whether the way costs money (DI8). Left out, mobile data does and Wi-Fi does not."),
    Key("constrained", .flag, "Whether the person asked to save data (DI8)."),
    Key("power", .flag, "Whether the device is charged (DI3)."),
    Key("battery", .fraction, "Charge (DI6).", examples: [0.8]),
    Key("low_power_mode", .flag, "Whether the person asked to save power (DI6)."),
    Key("locked", .flag, "Whether the device is locked (TX18)."),
  ]
  private static let freeKey = Key(
    "free", .size, "Bytes that are free for files that a run makes.", examples: ["500 MB"])
  private static let actionKey = Key(
    "do", .choice(ScenarioAction.allCases.map(\.rawValue)), "Something that happens once.",
    examples: ["force_quit"])
  private static let clockKeys = [
    Key(
      "clock_forward", .duration, "The device's wall clock is put forward by so much.",
      examples: ["2h"]),
    Key(
      "clock_back", .duration, "The device's wall clock is put back by so much.", examples: ["2h"]),
  ]
  private static let openKey = Key(
    "open", .duration, "A person opens the app, and leaves it after so long.", examples: ["2m"])

  static let conditions = Construct(
    name: .conditions, phrase: "'conditions'", summary: "What surrounds a device.",
    keys: conditionKeys)

  static let timelineEntry = Construct(
    name: .timelineEntry, phrase: "an entry of the timeline",
    summary: """
      Something that a person or the world does: `open` the app, `do` something, put the clock, or other conditions from one time to \
      another. Among conditions of one time, those of a `day` count before those of `days`, and these before those of every \
      day.
      """,
    keys: [
      Key("at", .pattern(clockPattern), "Time of day, UTC.", examples: ["08:10"]),
      Key(
        "from", .pattern(clockPattern), "Time of day at which conditions begin.",
        examples: ["23:00"]),
      Key(
        "to", .pattern(clockPattern),
        "Time of day at which they end; of the next day, where it is before `from`.",
        examples: ["07:00"]),
      Key("after", .duration, "Time after the start.", examples: ["2h30m"]),
      Key(
        "for", .duration, "How long conditions last, from `at` or `after` on.", examples: ["30m"]),
      Key(
        "days", .filledList(.choice(TimelineEntry.Weekday.allCases.map(\.rawValue))),
        "Days of the week; left out, it is every day.", examples: [["mon", "tue"]]),
      Key("day", .integer(minimum: 1), "The one day of this number, from 1.", examples: [3]),
      openKey, actionKey,
    ] + clockKeys + conditionKeys + [
      freeKey,
      Key("jitter", .duration, "It is earlier or later by at most so much.", default: "0s"),
      Key("chance", .fraction, "How often it happens at all.", default: 1),
    ],
    alternatives: [.exactlyOne("at", "from", "after"), .atMostOne("day", "days", "after")],
    reserved: ["every", "until"])

  static let randomEntry = Construct(
    name: .randomEntry, phrase: "an entry of 'random'",
    summary: "Something that happens again and again. The times between are exponential.",
    keys: [
      Key(
        "every", .duration, "Mean time from one to the next.", isRequired: true, examples: ["6h"]),
      Key(
        "for", .either([.duration, .construct(.durationSpread)]), "How long conditions last.",
        examples: ["5m"]),
      openKey, actionKey,
    ] + clockKeys + conditionKeys + [freeKey],
    reserved: ["at", "from", "to", "days", "day", "jitter"])
}
