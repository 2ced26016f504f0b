/// What a cause of waiting means, and what an author can do about it.
///
/// Causes are the words of ''SimulationSummary/stalls'': ids of the device rules where the transfer
/// service holds something, and the words of ''Tally/Stall'' otherwise.
public struct StallCause: Hashable, Sendable {
  /// The word.
  public let word: String
  /// What it means, in a line.
  public let meaning: String
  /// What helps against it, in a line; 'nil' where nothing in a pipeline does.
  public let advice: String?

  /// Explains the cause called 'word'.
  public init(_ word: String) {
    self.word = word
    (meaning, advice) = Self.known[word] ?? ("a rule of the device", nil)
  }

  /// What it means, in two or three words.
  var name: String {
    String(meaning.split(whereSeparator: { ":,(".contains($0) }).first ?? "")
  }

  private static let known: [String: (String, String?)] = [
    "answer": ("waited for an answer, or for the transfer service", nil),
    "delay": (
      "back-off, Retry-After or the interval of a poll",
      "see which answers are retried: the server is asked too much, or is down"
    ),
    "concurrency": ("waited for a place among those of 'concurrency'", "raise 'concurrency'"),
    "disk": (
      "waited for bytes of the disk budget",
      "raise 'budgets.disk', or make smaller bodies; more items at once cannot help"
    ),
    "transfers": ("waited for a place among 'budgets.transfers'", "raise 'budgets.transfers'"),
    "dependency": ("waited for a step of run scope, such as a sign-in", nil),
    "allowance": (
      "the app did not run, or not long enough for the step (BT1, BT2)",
      "give the transfer service what takes long, or do short steps for many items at once"
    ),
    "person": ("waited for a person: paused", "see why the items are paused"),
    "loop": ("waited for the items of a loop", nil),
    "batch": ("waited for a batch to be full", "make the batch smaller, or its time shorter"),
    "RL4": (
      "resume delay: a task that was created behind begins later, twice as late after each resume",
      "queue more at once, so that fewer resumes are needed: raise 'concurrency', or batch"
    ),
    "TX14": ("its earliest begin had not come", nil),
    "TX21": (
      "too many tasks were queued",
      "lower 'concurrency' or set 'budgets.transfers' to about 100"
    ),
    "TX22": ("the service took its time before the first byte", nil),
    "TX24": ("others went first, by priority and then by age", nil),
    "DI8": (
      "no network, or none that the transfer may use",
      "see 'network' of the upload: it may forbid mobile data"
    ),
    "DI3": (
      "discretionary: created behind, it waits for Wi-Fi and the charger",
      "queue more while the app is in front, where discretion is not inferred (DI1, DI2)"
    ),
    "DI6": ("low battery or low-power mode: only the essential runs", nil),
    "DI4": (
      "the day's bytes of discretionary transfers were used up (about 5 GB on Wi-Fi)",
      "queue more while the app is in front, or send less a day"
    ),
  ]
}
