/// Attempts and timeouts that together take longer than the time available.
///
/// Only numbers that the author wrote are added up. More than ten attempts mean "as many as there is time for", and an
/// `elapsed` beyond the allowance means that the retries are meant to outlast it.
enum RetriesDoNotFitRule: Rule {
  private static let mostCounted = 10

  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      guard step.retry.attempts > 1, let policy = document.policy(of: index),
        let attempts = document.range(of: "attempts", in: policy.node),
        let timeout = document.timeoutRange(index)
      else { continue }
      let written = Written(step: step, timeout: timeout, attempts: attempts)
      if let range = document.range(of: "elapsed", in: policy.node) {
        written.check(againstElapsed: range, collector)
      } else if policy.isChosen, document.followsUpload(index) {
        written.checkAgainstAllowance(collector)
      }
    }
  }

  private struct Written {
    package let step: Step
    package let timeout, attempts: TextRange
    private var isUpload: Bool { step.transfer != nil }
    private var single: Duration { step.attemptTimeout }

    private var sum: (duration: Duration, text: String) {
      let backoff = step.retry.longestBackoff
      let sum = single * step.retry.attempts + backoff
      let text =
        """
        \(step.retry.attempts) × \(Quantity.text(single)) + back-off \(Quantity.text(backoff)) = \
        \(Quantity.text(sum))
        """
      return (sum, text)
    }

    package func check(againstElapsed range: TextRange, _ collector: DiagnosticCollector) {
      guard let elapsed = step.retry.elapsed else { return }
      let notes = [
        Diagnostic.Note(message: "the attempts are counted here", range: attempts),
        Diagnostic.Note(message: "the time for all of them is set here", range: range),
      ]
      if single > elapsed {
        collector.report(
          .retriesDoNotFit,
          """
          an attempt that times out is never retried: \(Quantity.text(single)) > \
          \(Quantity.text(elapsed)) of 'elapsed'
          """, at: timeout, notes: notes)
        return
      }
      // Most of its time, an upload waits; the author does not expect every attempt to time out.
      guard !isUpload, step.retry.attempts <= mostCounted else { return }
      let sum = sum
      guard sum.duration > elapsed else { return }
      collector.report(
        .retriesDoNotFit,
        "the attempts do not fit 'elapsed': \(sum.text) > \(Quantity.text(elapsed))", at: timeout,
        notes: notes, help: "shorten 'timeout', or allow fewer attempts or more time")
    }

    func checkAgainstAllowance(_ collector: DiagnosticCollector) {
      guard !isUpload, single <= CheckedDocument.allowance, step.retry.attempts <= mostCounted
      else { return }
      let sum = sum
      guard sum.duration > CheckedDocument.allowance else { return }
      collector.report(
        .retriesDoNotFit,
        """
        the attempts do not fit one resume after an upload: \(sum.text) > \
        \(Quantity.text(CheckedDocument.allowance))
        """, at: timeout,
        note: ("the attempts are counted here", attempts),
        help: """
          shorten 'timeout' or the back-off, or set 'elapsed' to the time limit of the retries \
          over several resumes
          """)
    }
  }
}
