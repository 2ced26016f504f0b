/// The findings from crashing a pipeline's process at each point, and leaving each request's outcome unknown.
public struct CrashSafety: Hashable, Sendable {
  /// Name of the pipeline, and of its file, as the user wrote it.
  public let pipeline, file: String
  /// The steps, in order.
  public let steps: [StepSafety]
  /// What happened that must not happen, each kind once per step.
  public let counterexamples: [SafetyCounterexample]
  /// How much was tried.
  public let effort: Effort

  /// The overall judgement.
  public enum Certification: String, Hashable, Sendable, CaseIterable {
    /// Nothing that must not happen did, in anything that can happen.
    case certified
    /// The same, provided that the author's statements about the server are true.
    case assumed
    /// Something was not tried, or was never reached.
    case incomplete
    case unsafe
  }

  /// The judgement on the pipeline.
  public var verdict: Certification {
    if !counterexamples.isEmpty { return .unsafe }
    if effort.untried > 0 || effort.isCut || !steps.allSatisfy(\.isReached) { return .incomplete }
    return steps.allSatisfy { $0.grade == .shown } ? .certified : .assumed
  }

  /// Whether nothing that must not happen did, without relying on unverified assumptions.
  public var isCertified: Bool { verdict == .certified }

  /// How much was tried.
  public struct Effort: Hashable, Sendable {
    /// Simulated runs.
    public var runs = 0
    /// Points of a run of one item at which the process was crashed.
    public var crashPoints = 0
    /// Requests of that run whose outcome was left unknown, in each of ``CrashVerifier/faults``.
    public var requests = 0
    /// Pairs of faults: those that were tried, all, and those that are tried by default.
    public var pairs = 0, allPairs = 0, usualPairs = 0
    /// Faults that were not tried, because the others needed too many steps.
    public var untried = 0

    /// Whether fewer pairs were tried than usual, so that nothing is certified.
    public var isCut: Bool { pairs < usualPairs }
  }
}

/// Whether repeating a step is safe.
public struct StepSafety: Hashable, Sendable {
  /// Why it is, or is not.
  public enum Reason: Hashable, Sendable {
    /// The step asks no server: it writes a file of its own, or lets other steps run, each of which is safe or not.
    case local(writesFile: Bool)
    /// The server recognizes a repeat by the key in this header; a hand-written key outlives generations.
    case key(header: String, isOwn: Bool)
    /// The server is asked before a repeat, and its "not done" is trusted after this long.
    case probe(patience: Duration)
    /// The method is idempotent (RFC 9110 §9.2.2).
    case idempotentMethod(String)
    /// The author states with `effect: repeatable`, or by omission, that a repeat is harmless.
    case author(method: String)
    /// It creates, and nothing makes a repeat safe.
    case nothing
    /// A compensation whose method is not idempotent, and which is sent without a key.
    case unkeyed(method: String)

    /// The identifier used in reports.
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

    /// A short phrase for the reason why a repeat is safe.
    public var phrase: String {
      switch self {
      case .local(writesFile: true): "it contacts no server; an unfinished file is removed"
      case .local(writesFile: false): "it contacts no server itself"
      case .key(let header, false):
        "the idempotency key in \(header.contains("'") ? header : "'\(header)'")"
      case .key(let header, true):
        "the hand-written key in '\(header)', the same in each generation"
      case .probe(.zero): "the probe, which runs before a repeat and is trusted at once"
      case .probe(let patience):
        "the probe, which runs before a repeat and is trusted after \(TraceText.time(patience))"
      case .idempotentMethod(let method): "\(method), which is idempotent"
      case .author(let method): "\(method) without 'effect: create'"
      case .nothing: "nothing: it creates something without an idempotency key or a probe"
      case .unkeyed(let method):
        "nothing: a repeated \(method) is another effect, and it is sent without a key"
      }
    }
  }

  /// The step; for a compensation the loop, `on_abandon` and its position there from 1, joined by full stops.
  public let id: StepID
  /// Its position in the file.
  public let location: SourceLocation
  /// What makes a repeat safe.
  public let reason: Reason
  /// Maximum number of attempts of one generation in any run.
  public internal(set) var attempts = 0
  /// Maximum number of times that one generation took effect at the server in any run.
  public internal(set) var effects = 0
  /// The possible remains on the server or on the disk, as sentences.
  public internal(set) var leaks: [String] = []
  /// Whether an item can end up waiting for the user here.
  public internal(set) var mayPause = false
  /// Whether a counterexample is about the step.
  public internal(set) var isRefuted = false
  /// The author's assumptions about the server that no trial can show, as sentences.
  public private(set) var assumptions: [String]

  /// Whether some run reached the step; a step that contacts no server counts as reached.
  public var isReached: Bool { attempts > 0 || isLocal }

  /// Whether the step contacts no server.
  public var isLocal: Bool { if case .local = reason { true } else { false } }

  /// The result for a repeat.
  public enum Grade: String, Hashable, Sendable, CaseIterable {
    /// The trials show that it is safe.
    case shown
    /// It relies only on the author's assumptions.
    case assumed
    case unsafe
    case unreached
  }

  /// The result for a repeat of the step.
  public var grade: Grade {
    if isRefuted { return .unsafe }
    guard isReached else { return .unreached }
    if hasNoProtection { return .unsafe }
    return assumptions.isEmpty ? .shown : .assumed
  }

  /// Methods that change nothing at the server (RFC 9110 §9.2.1).
  static let safeMethods = ["GET", "HEAD", "OPTIONS", "TRACE"]
  /// Methods that may be repeated (RFC 9110 §9.2.2).
  static let idempotentMethods = safeMethods + ["PUT", "DELETE"]

  /// Lists an assumption that a trial showed to be needed.
  mutating func rely(on assumption: String) {
    if !assumptions.contains(assumption) { assumptions.append(assumption) }
  }

  /// Whether repeating the step is safe, according to the trials and the assumptions.
  public var isSafe: Bool { !hasNoProtection && !isRefuted }

  var hasNoProtection: Bool { reason.word == "nothing" }

  init(_ step: Step, _ pipeline: Pipeline) {
    id = step.id
    location = step.location
    let method = step.action.request?.method
    reason =
      if let method {
        if let place = step.keyPlace {
          .key(header: place.words, isOwn: step.idempotencyKey != nil)
        } else if let probe = step.probe {
          .probe(patience: probe.patience)
        } else if step.effect == .create {
          .nothing
        } else if Self.idempotentMethods.contains(method) {
          .idempotentMethod(method)
        } else {
          .author(method: method)
        }
      } else { .local(writesFile: step.makesFile) }
    assumptions = Self.assumptions(step, reason, pipeline)
  }

  /// A request of `on_abandon`, by position.
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
      } else { .unkeyed(method: request.method) }
    assumptions = loop.onAbandon[index].undoes.map {
      "it undoes what '\(pipeline.steps[$0].id)' did, without reading any of its outputs"
    }
  }

  private static func assumptions(_ step: Step, _ reason: Reason, _ pipeline: Pipeline) -> [String]
  {
    var assumptions: [String] = []
    switch reason {
    case .author(let method):
      assumptions.append(
        "a repeated \(method) is harmless, although the server cannot recognize it")
    case .probe(.zero):
      assumptions.append("the probe sees an effect at once; with 'until', it may be late")
    case .local, .key, .probe, .idempotentMethod, .nothing, .unkeyed: break
    }
    if let key = step.idempotencyKey, !KeyUniqueness(step, pipeline).holds(of: key) {
      assumptions.append(
        step.loop == nil
          ? "no other run sends the same key, although nothing in it is unique to this run"
          : "no other item, of this run or another, sends the same key; 'item.key' in it would ensure that"
      )
    }
    assumptions += expiries(of: step, pipeline).map {
      "a response that makes the step report '\($0)' as expired means that its request was not carried out, and never will "
        + "be"
    }
    if step.sharesTarget { assumptions.append("no other item has the same target") }
    if step.effect == .create, step.matchers.contains(where: \.isRefused) {
      assumptions.append("a request whose response matches 'refused' was not carried out")
    }
    return assumptions
  }

  /// The steps whose results a response to a creating request can report as expired, which ends repeats under its key.
  private static func expiries(of step: Step, _ pipeline: Pipeline) -> [StepID] {
    // A key that is the same in all generations needs no such proof.
    guard step.effect == .create, step.keyPlace != nil, step.probe == nil,
      step.idempotencyKey == nil
    else { return [] }
    var found: [StepID] = []
    for matcher in step.matchers + (step.batch?.matchers ?? []) {
      guard case .expired(let maker) = matcher.outcome else { continue }
      let uses = step.uses.filter { $0.step == maker }
      if !uses.isEmpty, uses.allSatisfy(\.isCredential) { continue }
      let id = pipeline.steps[maker].id
      if !found.contains(id) { found.append(id) }
    }
    return found
  }
}

extension Probe {
  /// How long after an unknown outcome the probe's "not done" is not yet trusted.
  var patience: Duration { max(after, until) }
}

/// Something that must not happen, how it happens, and the faults that lead to it.
public struct SafetyCounterexample: Hashable, Sendable {
  /// Outcomes that must not happen.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A creating step took effect twice for one item.
    case doubleEffect = "double-effect"
    /// An item did not end the way it ends without faults.
    case lostItem = "lost-item"
    /// Two items store something under the same address.
    case sharedTarget = "shared-target"
    /// The run neither ended nor could continue.
    case stuck
    case invariant
  }

  /// What happened.
  public let kind: Kind
  /// The step to blame, if any.
  public let step: StepID?
  /// The position of the step.
  public let location: SourceLocation?
  /// What happened, in a sentence without a final full stop.
  public let message: String
  /// The faults in order, and how it happened, in at most 15 lines.
  public let disturbances, timeline: [String]
}
