/// What a cause of waiting means.
///
/// Causes are the words of ''SimulationSummary/stalls'': ids of the device rules where the transfer
/// service holds something, and the words of ''Tally/Stall'' otherwise.
public struct StallCause: Hashable, Sendable {
  /// The word.
  public let word: String
  /// What it means, in a line.
  public let meaning: String

  /// Explains the cause called 'word'.
  public init(_ word: String) {
    self.word = word
    meaning = Self.known[word] ?? "a rule of the device"
  }

  /// What it means, in two or three words.
  var name: String {
    String(meaning.split(whereSeparator: { ":,(".contains($0) }).first ?? "")
  }

  private static let known: [String: String] = [
    "answer": "waited for an answer, or for the transfer service",
    "delay": "back-off, Retry-After or the interval of a poll",
    "concurrency": "waited for a place among those of 'concurrency'",
    "disk": "waited for bytes of the disk budget",
    "space": "waited for room on the disk, which was full",
    "transfers": "waited for a place among 'budgets.transfers'",
    "connections": "waited for a connection",
    "network": "waited for a network",
    "dependency": "waited for a step of run scope, such as a sign-in",
    "allowance": "the app did not run, or not long enough for the step (BT1, BT2)",
    "person": "waited for a person: paused",
    "loop": "waited for the items of a loop",
    "batch": "waited for a batch to be full",
    "RL4":
      "resume delay: a task that was created behind begins later (on iOS 7 the resume comes later), "
      + "twice as late after each resume",
    "TX14": "its earliest begin had not come",
    "TX21": "too many tasks were queued",
    "TX22": "the service took its time before the first byte",
    "TX24": "others went first, by priority and then by age",
    "FQ4": "the device was restarted, and its transfers wait until it is unlocked",
    "DI8": "no network, or none that the transfer may use",
    "TX7": "the connection broke, and the transfer service waited before it tried again",
    "DI3":
      "discretionary, as asked or for being created behind: it waits for Wi-Fi and the charger",
    "DI6": "low battery or low-power mode: only the essential runs",
    "DI4": "the day's bytes of discretionary transfers were used up (about 5 GB on Wi-Fi)",
  ]
}
