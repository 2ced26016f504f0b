extension CrashSafetyReport {
  /// A self-contained page.
  public func html() -> String {
    Page.document(
      title: "Crash safety", style: Page.file(PackageResources.certificate_css),
      body: pages().joined(separator: "\n"))
  }

  private func pages() -> [String] {
    results.map { result in
      let isGood = result.isCertified || acceptsAssumptions && result.verdict == .assumed
      return """
        <section>
        <h1>\(Self.escaped(result.pipeline))
        <span class="verdict \(isGood ? "good" : "bad")">\
        \(Self.escaped(verdict(result)))</span></h1>
        <p>\(Self.escaped(result.file)). \(Self.escaped(Self.effort(result.effort))).</p>
        \(Self.table(result.steps))
        \(result.counterexamples.map(Self.section).joined(separator: "\n"))
        </section>
        """
    }
  }

  private static func table(_ steps: [StepSafety]) -> String {
    let rows = steps.map { step in
      var notes = step.leaks.map { "<div class=\"leak\">leak: \(escaped($0))</div>" }
      notes += step.assumptions.map { "<div>assumption: \(escaped($0))</div>" }
      if step.mayPause { notes.append("<div>may pause until you retry it</div>") }
      let word =
        switch step.grade {
        case .shown: ""
        case .assumed: "<span class=\"no\">not proven: </span>"
        case .unsafe:
          "<span class=\"no\">not safe\(step.hasNoProtection ? "" : ", as shown below, with"): </span>"
        case .unreached: "<span class=\"no\">not reached: </span>"
        }
      return """
        <tr><td><code>\(escaped(step.id.rawValue))</code></td><td>\(word)\(escaped(step.reason.phrase))</td>\
        <td class="n">\(step.attempts)</td><td class="n">\(step.effects)</td><td>\(notes.joined())</td></tr>
        """
    }
    return """
      <table>
      <thead><tr><th>Step</th><th>A repeat is safe by</th><th class="n">Sent up to</th>\
      <th class="n">Took effect up to</th><th>Notes</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody>
      </table>
      """
  }

  private static func section(_ example: SafetyCounterexample) -> String {
    let lines = example.timeline.map { line in
      line.contains("[takes effect") ? "<mark>\(escaped(line))</mark>" : escaped(line)
    }
    return """
      <h2>\(escaped(example.kind.rawValue)): \(escaped(example.message))</h2>
      <ul>\(example.disturbances.map { "<li>\(escaped($0))</li>" }.joined())</ul>
      <pre>\(lines.joined(separator: "\n"))</pre>
      """
  }

  private static func escaped(_ text: String) -> String { Page.escaped(text) }
}
