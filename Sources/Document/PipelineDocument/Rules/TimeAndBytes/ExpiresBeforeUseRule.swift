/// An output that expires before the step that reads it finishes, if reissuing it does not help.
enum ExpiresBeforeUseRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for index in document.pipeline.steps.indices {
      for (use, life) in document.mortalUses(of: index) {
        let reading = Reading(document: document, step: index, use: use, life: life)
        reading.checkTransfers(collector)
        reading.checkPolls(collector)
        reading.checkRequest(collector)
        reading.checkSingleIssue(collector)
      }
    }
  }
}

private struct Reading {
  package let document: CheckedDocument
  package let step: Int
  package let use: OutputUse
  package let life: CheckedDocument.KnownLife
  private var pipeline: Pipeline { document.pipeline }
  private var reader: Step { pipeline.steps[step] }
  private var name: String { document.name(use) }

  private var origin: [Diagnostic.Note] {
    [Diagnostic.Note(message: "'\(name)' is valid for \(life.arithmetic)", range: life.range)]
  }

  /// Uploads that are repeated with the output, and take longer than its lifetime even at best.
  ///
  /// A warning, because the best connection speed is an assumption.
  func checkTransfers(_ collector: DiagnosticCollector) {
    guard !use.isCredential, pipeline.steps[use.step].loop == reader.loop else { return }
    for between in document.frame(of: step) where between > use.step && between <= step {
      let upload = pipeline.steps[between]
      guard upload.condition == nil, case .upload(let template) = upload.action,
        upload.uses.contains(where: { $0.step == use.step && $0.output != nil && !$0.isCredential }
        ),
        let size = document.sizes.bound(ofFile: template.file),
        Bandwidth.leastTime(of: size.bytes) > life.usable
      else { continue }
      // Another rule covers the reader's own transfer if it outlives its identifier and `on` does not handle
      // the refusal.
      guard
        between < step || template.transfer.resourceTimeout <= life.life
          || upload.handles(.identifier, by: use.step, document.constants)
      else { return }
      let least = Quantity.text(Bandwidth.leastTime(of: size.bytes))
      collector.report(
        .expiresBeforeUse,
        """
        '\(name)' expires before '\(reader.id)' finishes: the upload '\(upload.id)' needs at least \
        \(Quantity.text(bytes: size.bytes)) / 1 Gbit/s = \(least)\
        \(Constants.proviso(size.inputs)), but the value can only be used for \(Quantity.text(life.usable))
        """, at: document.steps[step].range, notes: origin,
        help: between < step ? "obtain a new one after the upload, in a separate step" : nil)
      return
    }
  }

  /// A poll that comes after the identifier has expired, so that each poll asks about a new one.
  func checkPolls(_ collector: DiagnosticCollector) {
    guard !use.isCredential else { return }
    for (matcher, draft) in zip(reader.matchers, document.steps[step].matchers) {
      guard matcher.outcome == .poll, let after = matcher.after,
        let interval = document.constants.duration(after), interval.value >= life.usable,
        let range = draft.after?.range
      else { continue }
      collector.report(
        .expiresBeforeUse,
        """
        '\(name)' expires before the next poll: the interval of \
        \(Quantity.text(interval.value))\(Constants.proviso(interval.inputs)) is not shorter than \
        its \(Quantity.text(life.usable)), so each poll reissues it
        """, at: range, notes: origin,
        help: "poll well within its lifetime, such as 'after: \(shorter)'")
    }
  }

  private var shorter: String {
    Quantity.literal(.milliseconds(max(life.usable.milliseconds / 4, 1)))
  }

  /// A single exchange that may outlast an identifier in it, if `on` does not handle that.
  func checkRequest(_ collector: DiagnosticCollector) {
    guard case .request(let request) = reader.action, request.timeout > life.life,
      !reader.handles(
        use.isCredential ? .credential : .identifier, by: use.step, document.constants)
    else { return }
    let producer = pipeline.steps[use.step].id
    collector.report(
      .expiresBeforeUse,
      """
      '\(name)' can expire while '\(reader.id)' uses it: the request may last \
      \(Quantity.text(request.timeout)), but the value is valid for \(life.arithmetic)
      """, at: document.timeoutRange(step) ?? document.steps[step].range, notes: origin,
      help: """
        shorten the request: 'timeout: \(Quantity.literal(life.usable))', or handle the \
        server's refusal with 'expired: \(producer)' in 'on'
        """)
  }

  /// An output that may not be reissued, and can expire before it is read.
  func checkSingleIssue(_ collector: DiagnosticCollector) {
    let producer = pipeline.steps[use.step]
    guard producer.reissueLimit == 0, producer.loop == reader.loop else { return }
    let steps = document.frame(of: step).filter { $0 > use.step && $0 <= step }
    guard let longest = steps.max(by: { most(of: $0) < most(of: $1) }) else { return }
    let sum = steps.reduce(Duration.zero) { $0 + most(of: $1) }
    guard sum > life.usable else { return }
    collector.report(
      .expiresBeforeUse,
      """
      '\(name)' can expire before '\(reader.id)' finishes, and 'max_reissues: 0' forbids \
      reissuing it: up to \(spell(sum)) can pass until then, of which '\(pipeline.steps[longest].id)' \
      needs \(spell(most(of: longest)))
      """, at: document.steps[step].range, notes: origin,
      help: "allow the step '\(producer.id)' to be reissued: 'max_reissues: 1' or more")
  }

  /// Longer than anyone waits, and small enough that sums in milliseconds cannot overflow.
  private static let endless: Duration = .seconds(100 * 365 * 86400)

  private func spell(_ duration: Duration) -> String {
    duration >= Self.endless ? "years" : Quantity.text(duration)
  }

  /// The maximum time of a step: each attempt up to its timeout, plus all back-off.
  private func most(of index: Int) -> Duration {
    let step = pipeline.steps[index]
    let timeout = step.attemptTimeout
    guard timeout > .zero else { return .zero }
    guard step.retry.attempts <= 1000 else { return Self.endless }
    let attempts = timeout * step.retry.attempts + step.retry.longestBackoff
    return min(step.retry.elapsed.map { max($0, timeout) } ?? attempts, attempts, Self.endless)
  }
}

extension RetryPolicy {
  var longestBackoff: Duration {
    guard attempts > 1 else { return .zero }
    return (1..<attempts).reduce(.zero) { $0 + delay(afterFailures: $1) }
  }
}
