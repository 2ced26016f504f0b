/// The meaning of a cause of waiting.
///
/// Causes are the keys of ''SimulationSummary/stalls'': ids of the device rules if the transfer
/// service holds something, and the words of ''Tally/Stall'' otherwise.
public struct StallCause: Hashable, Sendable {
  /// The word.
  public let word: String
  /// Its meaning, in one line.
  public let meaning: String

  /// Explains the cause called 'word'.
  public init(_ word: String) {
    self.word = word
    meaning = Self.known[word] ?? "a rule of the device"
  }

  /// Its meaning, in two or three words.
  var name: String { String(meaning.split(whereSeparator: { ":,(".contains($0) }).first ?? "") }

  private static let known: [String: String] = [
    "answer": "waited for a response, or for the transfer service",
    "delay": "back-off, Retry-After or the interval of a poll",
    "concurrency": "waited for a concurrent item to end",
    "disk": "waited for bytes of the disk budget",
    "space": "waited for disk space, because the disk was full",
    "transfers": "waited for a free slot in 'budgets.transfers'",
    "connections": "waited for a connection",
    "rate": "waited because a rate of 'budgets' allows no more requests",
    "network": "waited for a network",
    "dependency": "waited for a run-level step, such as a sign-in",
    "allowance": "the app was not running, or not long enough for the step (BT1, BT2)",
    "person": "waited for a person: paused", "loop": "waited for the items of a loop",
    "batch": "waited for a batch to fill",
    "RL4":
      "resume delay: a task created in the background starts later (on iOS 7 the resume comes later), "
      + "and the delay doubles with each resume", "TX14": "its earliest start had not come",
    "TX21": "too many tasks were queued", "TX22": "the service delayed the first byte",
    "TX24": "others went first, by priority and then by age",
    "FQ4": "the device was restarted, and its transfers wait for the first unlock",
    "DI8": "no network, or none that the transfer may use",
    "TX7": "the connection broke, and the transfer service waited before retrying",
    "DI3":
      "discretionary, by request or because it was created in the background: waits for Wi-Fi and a charger",
    "DI6": "low battery or low-power mode: only essential transfers run",
    "DI4": "the day's bytes of discretionary transfers were used up (about 5 GB on Wi-Fi)",
  ]
}
