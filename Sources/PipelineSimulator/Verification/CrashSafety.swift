public import PipelineCore

/// What was found out about a pipeline by ending its process at each point and leaving each request's
/// outcome unknown, one after the other.
public struct CrashSafety: Hashable, Sendable {
  /// Name of the pipeline.
  public let pipeline: String
  /// The file, as the user named it.
  public let file: String
  /// The steps, in order.
  public let steps: [StepSafety]
  /// What must not happen and did, each kind once for each step.
  public let counterexamples: [SafetyCounterexample]
  /// How much was tried.
  public let effort: Effort

  /// What can be said of the whole.
  public enum Certification: String, Hashable, Sendable, CaseIterable {
    /// Nothing that must not happen did, in all that can happen.
    case certified
    /// The same, as far as what the author says of the server is true.
    case word
    /// Something was not tried, or was never reached.
    case incomplete
    /// There is a counter-example.
    case unsafe
  }

  /// What can be said of the pipeline.
  public var verdict: Certification {
    if !counterexamples.isEmpty { return .unsafe }
    if effort.untried > 0 || effort.isCut || !steps.allSatisfy(\.isReached) { return .incomplete }
    return steps.allSatisfy { $0.grade == .shown } ? .certified : .word
  }

  /// Whether nothing that must not happen did, and nothing rests on the author's word.
  public var isCertified: Bool { verdict == .certified }

  /// How much was tried.
  public struct Effort: Hashable, Sendable {
    /// Simulated runs.
    public var runs = 0
    /// Points of a run of one item at which the process was ended.
    public var crashPoints = 0
    /// Requests of that run whose outcome was left unknown, in each of ``CrashVerifier/faults``.
    public var requests = 0
    /// Pairs of disturbances that were tried.
    public var pairs = 0
    /// Pairs that there are.
    public var allPairs = 0
    /// Pairs of those that are tried where nobody asks for fewer.
    public var usualPairs = 0
    /// Disturbances that were not tried, because the others took too many steps.
    public var untried = 0
    /// Steps of the simulation that all runs took.
    var steps = 0

    /// Whether fewer pairs were tried than usual, so that nothing is certified.
    public var isCut: Bool { pairs < usualPairs }
  }
}

/// Whether carrying a step out again is safe.
public struct StepSafety: Hashable, Sendable {
  /// Why it is, or is not.
  public enum Reason: Hashable, Sendable {
    /// The step writes a file of its own and asks no server.
    case local
    /// The server knows a repeat by the key in this header; a key of the author's own outlives generations.
    case key(header: String, isOwn: Bool)
    /// The server is asked before a repeat, and its "not done" is believed after so long.
    case probe(patience: Duration)
    /// The method is idempotent (RFC 9110 §9.2.2).
    case idempotentMethod(String)
    /// The author says with `effect: repeatable`, or by saying nothing, that a repeat does no harm.
    case author(method: String)
    /// It creates, and nothing makes a repeat safe.
    case nothing
    /// A compensation whose method is not idempotent, and that shows no key.
    case unkeyed(method: String)

    /// The word for it in reports.
    public var word: String {
      switch self {
      case .local: "local"
      case .key: "key"
      case .probe: "probe"
      case .idempotentMethod: "idempotent-method"
      case .author: "author"
      case .nothing, .unkeyed: "nothing"
      }
    }

    /// A few words on what makes a repeat safe.
    public var phrase: String {
      switch self {
      case .local: "no server is asked; a file that was begun is removed"
      case .key(let header, false): "the idempotency key in '\(header)'"
      case .key(let header, true): "the author's key in '\(header)', the same in each generation"
      case .probe(.zero): "the probe, which is asked before a repeat and believed at once"
      case .probe(let patience):
        "the probe, which is asked before a repeat and believed after \(TraceText.time(patience))"
      case .idempotentMethod(let method): "\(method), which is idempotent"
      case .author(let method): "\(method) without 'effect: create'"
      case .nothing: "nothing: it creates, and has neither a key nor a probe"
      case .unkeyed(let method):
        "nothing: a repeated \(method) is another effect, and it shows no key"
      }
    }
  }

  /// The step; of a compensation the loop, `on_abandon` and its place there from 1, joined by full stops.
  public let id: StepID
  /// Where it stands.
  public let location: SourceLocation
  /// What makes a repeat safe.
  public let reason: Reason
  /// Most attempts that one generation of the step took in any run.
  public internal(set) var attempts = 0
  /// Most times that one generation took effect at the server in any run.
  public internal(set) var effects = 0
  /// What may stay behind, as sentences.
  public internal(set) var leaks: [String] = []
  /// Whether an item can end up waiting for a person here.
  public internal(set) var mayPause = false
  /// Whether a counter-example is about the step.
  public internal(set) var isRefuted = false
  /// What the author says of the server that no trial can show, as sentences.
  public let words: [String]

  /// Whether some run came to the step, so that something can be said about it; a step that asks no
  /// server is not counted.
  public var isReached: Bool { attempts > 0 || reason == .local }

  /// What is known of a repeat.
  public enum Grade: String, Hashable, Sendable, CaseIterable {
    /// The trials show that it is safe.
    case shown
    /// It rests on what the author says alone.
    case word
    /// It is not safe.
    case unsafe
    /// No run came to the step.
    case unreached
  }

  /// What is known of a repeat of the step.
  public var grade: Grade {
    if isRefuted { return .unsafe }
    guard isReached else { return .unreached }
    if hasNoProtection { return .unsafe }
    return words.isEmpty ? .shown : .word
  }

  /// Methods that may be repeated (RFC 9110 §9.2.2).
  static let idempotentMethods = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

  /// Whether carrying the step out again is safe, as far as the trials and the author's word go.
  public var isSafe: Bool { !hasNoProtection && !isRefuted }

  /// Whether nothing makes a repeat safe.
  var hasNoProtection: Bool { reason.word == "nothing" }

  init(_ step: Step, _ pipeline: Pipeline) {
    id = step.id
    location = step.location
    let method = step.requestTemplate?.method
    reason =
      if let method {
        if let header = step.idempotencyHeader {
          .key(header: header, isOwn: step.idempotencyKey != nil)
        } else if let probe = step.probe {
          .probe(patience: probe.patience)
        } else if step.effect == .create {
          .nothing
        } else if Self.idempotentMethods.contains(method) {
          .idempotentMethod(method)
        } else {
          .author(method: method)
        }
      } else {
        .local
      }
    words = Self.words(step, reason, pipeline)
  }

  /// A request of `on_abandon`, by its place there.
  init(compensation index: Int, of loop: Loop, _ pipeline: Pipeline) {
    id = StepID("\(loop.variable).on_abandon.\(index + 1)")
    location = loop.location
    let request = loop.onAbandon[index].request
    let known = ModelServer.keyHeaders(of: pipeline).map { $0.lowercased() }
    reason =
      if let header = request.headers.first(where: { known.contains($0.name.lowercased()) }) {
        .key(header: header.name, isOwn: true)
      } else if Self.idempotentMethods.contains(request.method) {
        .idempotentMethod(request.method)
      } else {
        .unkeyed(method: request.method)
      }
    words = []
  }

  private static func words(_ step: Step, _ reason: Reason, _ pipeline: Pipeline) -> [String] {
    var words: [String] = []
    switch reason {
    case .author(let method):
      words.append("a repeated \(method) does no harm, though nothing makes the server know it")
    case .probe(.zero):
      words.append("the probe sees an effect at once; with 'until' it may be late")
    case .local, .key, .probe, .idempotentMethod, .nothing, .unkeyed: break
    }
    if let key = step.idempotencyKey, !KeyUniqueness(step, pipeline).holds(of: key) {
      words.append(
        step.loop == nil
          ? "no other run shows the key, although nothing in it is this run's alone"
          : "no other item, of this run or another, shows the key; with 'item.key' in it none does")
    }
    if step.effect == .create, step.matchers.contains(where: \.isRefused) {
      words.append("what is answered where 'refused' stands was not carried out")
    }
    return words
  }
}

extension Probe {
  /// How long after an unknown end the probe's "not done" is not believed yet.
  var patience: Duration { max(after, until) }
}

/// Something that must not happen, how it happens, and what was done for that.
public struct SafetyCounterexample: Hashable, Sendable {
  /// What must not happen.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A creating step took effect twice for one item.
    case doubleEffect = "double-effect"
    /// An item did not come to the end that it comes to without disturbances.
    case lostItem = "lost-item"
    /// The run neither ended nor could go on.
    case stuck
    /// The engine broke a promise to itself.
    case invariant
  }

  /// What happened.
  public let kind: Kind
  /// The step, where one is to blame.
  public let step: StepID?
  /// Where the step stands.
  public let location: SourceLocation?
  /// What happened, in a sentence without a final stop.
  public let message: String
  /// What was done to the run, in order.
  public let disturbances: [String]
  /// How it came about, at most 15 lines.
  public let timeline: [String]
}
