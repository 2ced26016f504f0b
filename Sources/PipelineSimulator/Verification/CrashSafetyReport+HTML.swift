import PipelineCore

/// The report as a page.
extension CrashSafetyReport {
  /// A self-contained page.
  public func html() -> String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Crash safety</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <main>
    \(pages().joined(separator: "\n"))
    </main>
    </body>
    </html>

    """
  }

  private static let style = """
    :root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; --soft: #8882; }
    @media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; } }
    body { font: 15px/1.5 system-ui, sans-serif; margin: 0; }
    main { max-width: 68rem; margin: 0 auto; padding: 1rem 1.25rem 3rem; }
    h1 { font-size: 1.35rem; margin: 1.5rem 0 .25rem; }
    h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
    .verdict { display: inline-block; padding: .1rem .6rem; border-radius: 1rem; color: #fff; font-size: .85rem; }
    .good { background: var(--good); } .bad { background: var(--bad); }
    table { border-collapse: collapse; width: 100%; }
    th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
    td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
    .no { color: var(--bad); font-weight: 600; }
    .leak { color: var(--bad); }
    pre { background: var(--soft); padding: .75rem 1rem; border-radius: .4rem; overflow-x: auto; font-size: 13px; }
    mark { background: none; color: var(--bad); font-weight: 600; }
    """

  private func isGood(_ result: CrashSafety) -> Bool {
    result.isCertified || acceptsWord && result.verdict == .word
  }

  private func pages() -> [String] {
    results.map { result in
      """
      <section>
      <h1>\(Self.escaped(result.pipeline))
      <span class="verdict \(isGood(result) ? "good" : "bad")">\
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
      notes += step.words.map { "<div>the author's word: \(escaped($0))</div>" }
      if step.mayPause { notes.append("<div>may wait for a person</div>") }
      let word =
        switch step.grade {
        case .shown: ""
        case .word: "<span class=\"no\">not proven: </span>"
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

  private static func escaped(_ text: String) -> String {
    text.visible.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
      ">", with: "&gt;"
    )
    .replacing("\"", with: "&quot;")
  }
}
