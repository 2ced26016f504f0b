import CEL
import PipelineCore

/// An output whose life is over before the step that reads it is done, where making it anew does not help.
enum ExpiresBeforeUseRule: TimeAndBytesRule {
  static let pages = [
    Check(
      .expiresBeforeUse, .warning, .time,
      summary:
        "an output is dead before the step that reads it is done, and making it anew does not help",
      explanation: """
        A dead output is made anew, and with it what was made from it. That leads nowhere where the way to its reader takes longer \
        than it lives: an upload that is done anew each time, a poll whose interval is longer than the life, an output that may \
        not be made anew. The sum is in the message; sizes are those of the files that the pipeline itself cuts, and 1 Gbit/s is \
        the best that is expected of a connection.

        An identifier that dies while a single request names it is reported too, where no entry of `on` provides for the refusal.
        """,
      wrong: """
        pipeline: example
        inputs: { film: { type: file } }
        steps:
          - id: allocate
            request: { method: POST, url: "https://example.com/uploads" }
            outputs:
              upload_id: { value: "${{ response.json.id }}", expires: { in: 2m } }
          - id: part
            materialize:
              file: ${{ inputs.film }}
              range: { offset: "${{ 0 }}", length: "${{ 16 * 1024 * 1024 * 1024 }}" }
          - id: send
            upload:
              url: https://example.com/uploads/${{ steps.allocate.upload_id }}
              file: ${{ steps.part.file }}
            on: [{ if: "${{ response.status == 404 }}", expired: allocate }]
          - id: finalize
            request: { method: POST, url: "https://example.com/uploads/${{ steps.allocate.upload_id }}/end" }
            needs: [send]
        """,
      right: """
        pipeline: example
        inputs: { film: { type: file } }
        steps:
          - id: allocate
            request: { method: POST, url: "https://example.com/uploads" }
            outputs:
              upload_id: { value: "${{ response.json.id }}", expires: { in: 3m } }
          - id: part
            materialize:
              file: ${{ inputs.film }}
              range: { offset: "${{ 0 }}", length: "${{ 16 * 1024 * 1024 * 1024 }}" }
          - id: send
            upload:
              url: https://example.com/uploads/${{ steps.allocate.upload_id }}
              file: ${{ steps.part.file }}
            on: [{ if: "${{ response.status == 404 }}", expired: allocate }]
          - id: finalize
            request: { method: POST, url: "https://example.com/uploads/${{ steps.allocate.upload_id }}/end" }
            needs: [send]
        """)
  ]

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

/// One step that reads one mortal output.
private struct Reading {
  package let document: CheckedDocument
  package let step: Int
  package let use: OutputUse
  package let life: CheckedDocument.KnownLife

  private var pipeline: Pipeline { document.pipeline }
  private var reader: Step { pipeline.steps[step] }
  private var name: String { document.name(use) }

  private var origin: [Diagnostic.Note] {
    [Diagnostic.Note(message: "'\(name)' lives \(life.arithmetic)", range: life.range)]
  }

  /// Uploads that are done anew with the output, and last longer than it even at the best.
  ///
  /// A warning, because what a connection does at the best is assumed.
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
      // Of its own transfer the rule on uploads that outlive their identifier speaks, where no answer
      // is provided for.
      guard
        between < step || template.transfer.resourceTimeout <= life.life
          || upload.providesFor(.identifier, by: use.step, document.constants)
      else { return }
      let least = Quantity.text(Bandwidth.leastTime(of: size.bytes))
      collector.warning(
        .expiresBeforeUse,
        """
        '\(name)' is dead before '\(reader.id)' is done with it: the upload '\(upload.id)' takes \
        \(Quantity.text(bytes: size.bytes)) / 1 Gbit/s = \(least) at the least\
        \(Constants.proviso(size.inputs)), and it has \(Quantity.text(life.usable))
        """, at: document.steps[step].range, notes: origin,
        help: between < step ? "make it anew after the upload, with a step of its own" : nil)
      return
    }
  }

  /// A poll that comes back when the identifier is dead: each time another is asked about.
  func checkPolls(_ collector: DiagnosticCollector) {
    guard !use.isCredential else { return }
    for (matcher, draft) in zip(reader.matchers, document.steps[step].matchers) {
      guard matcher.outcome == .poll, let after = matcher.after,
        let interval = document.constants.duration(after), interval.value >= life.usable,
        let range = draft.after?.range
      else { continue }
      collector.warning(
        .expiresBeforeUse,
        """
        '\(name)' is dead when it is asked for again: the interval of \
        \(Quantity.text(interval.value))\(Constants.proviso(interval.inputs)) is not shorter than \
        its \(Quantity.text(life.usable)), so that each poll makes it anew
        """, at: range, notes: origin,
        help: "poll well within its life, such as 'after: \(shorter)'")
    }
  }

  private var shorter: String {
    Quantity.literal(.milliseconds(max(life.usable.milliseconds / 4, 1)))
  }

  /// A single exchange that may outlast what it names, where `on` does not provide for that.
  func checkRequest(_ collector: DiagnosticCollector) {
    guard case .request(let request) = reader.action, request.timeout > life.life,
      !reader.providesFor(
        use.isCredential ? .credential : .identifier, by: use.step, document.constants)
    else { return }
    let producer = pipeline.steps[use.step].id
    collector.warning(
      .expiresBeforeUse,
      """
      '\(name)' can die while '\(reader.id)' uses it: the request may take \
      \(Quantity.text(request.timeout)), and it lives \(life.arithmetic)
      """, at: document.timeoutRange(step) ?? document.steps[step].range, notes: origin,
      help: """
        shorten the request: 'timeout: \(Quantity.literal(life.usable))', or provide for the \
        server's refusal with 'expired: \(producer)' in 'on'
        """)
  }

  /// An output that may not be made anew, and can be dead by the time it is read.
  func checkSingleIssue(_ collector: DiagnosticCollector) {
    let producer = pipeline.steps[use.step]
    guard producer.reissueLimit == 0, producer.loop == reader.loop else { return }
    let steps = document.frame(of: step).filter { $0 > use.step && $0 <= step }
    guard let longest = steps.max(by: { most(of: $0) < most(of: $1) }) else { return }
    let sum = steps.reduce(Duration.zero) { $0 + most(of: $1) }
    guard sum > life.usable else { return }
    collector.warning(
      .expiresBeforeUse,
      """
      '\(name)' can be dead before '\(reader.id)' is done with it, and 'max_reissues: 0' forbids \
      to make it anew: until then up to \(spell(sum)) pass, of which '\(pipeline.steps[longest].id)' \
      \(spell(most(of: longest)))
      """, at: document.steps[step].range, notes: origin,
      help: "allow the step '\(producer.id)' to be done anew: 'max_reissues: 1' or more")
  }

  /// Longer than anybody waits; keeps sums far inside what milliseconds can hold.
  private static let endless: Duration = .seconds(100 * 365 * 86400)

  private func spell(_ duration: Duration) -> String {
    duration >= Self.endless ? "years" : Quantity.text(duration)
  }

  /// The most that a step takes: each attempt to its timeout, with all back-off between them.
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
  /// The sum of all delays between attempts, none of them shortened by jitter.
  var longestBackoff: Duration {
    guard attempts > 1 else { return .zero }
    return (1..<attempts).reduce(.zero) { $0 + delay(afterFailures: $1) }
  }
}
