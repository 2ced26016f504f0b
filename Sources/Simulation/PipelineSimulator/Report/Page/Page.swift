enum Page {
  /// A whole document of a simulation; `script` reads `data`, which is JSON, from the element `data`.
  static func document(title: String, body: String, data: String? = nil, script: String = "")
    -> String
  {
    // Text inside must not end the element, and is escaped as elsewhere.
    let safe = data?.unicodeScalars.map { scalar in
      scalar == "<" ? "\\u003c" : scalar.isInvisible ? "\\" + scalar.escape : String(scalar)
    }.joined()
    let element = safe.map { "<script type=\"application/json\" id=\"data\">\($0)</script>\n" }
    return document(
      title: title, style: file(PackageResources.page_css), body: body,
      scripts: (element ?? "") + "<script>\n\(file(PackageResources.page_js))\(script)</script>\n")
  }

  static func document(title: String, style: String, body: String, scripts: String = "") -> String {
    file(PackageResources.document_html).replacing("{{title}}", with: escaped(title)).replacing(
      "{{style}}", with: style
    ).replacing("{{scripts}}", with: scripts).replacing("{{body}}", with: body)
  }

  /// The style sheets and scripts of pages, which contain them, so that they need no other file.
  static func file(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  static func header(_ heading: SimulationReport.Heading, _ seeds: String) -> String {
    let settings = heading.settings.map { "<span>\(escaped($0))</span>" }.joined()
    return """
      <header><h1>\(escaped(heading.pipeline))</h1>
      <span>scenario <b>\(escaped(heading.scenario))</b></span>
      <span>device <b>\(escaped(heading.device))</b></span>
      <span><b>\(escaped(seeds))</b></span>\(settings)<span class="room"></span>
      <button id="theme" type="button">Light or dark</button></header>
      """
  }

  static func advice(_ advice: [Advice]) -> String {
    advice.map { "<p class=\"advice\">tried: \(escaped($0.text))</p>\n" }.joined()
  }

  /// The command that makes the page again.
  static func command(_ heading: SimulationReport.Heading) -> String {
    heading.command.isEmpty ? "" : "<p>Again: <code>\(escaped(heading.command))</code></p>\n"
  }

  static func tile(_ name: String, _ value: String, _ note: String = "") -> String {
    let small = note.isEmpty ? "" : "<i>\(escaped(note))</i>"
    return
      "<div class=\"tile\"><small>\(escaped(name))</small><b>\(escaped(value))</b>\(small)</div>"
  }

  /// A table of HTML cells; the columns in `numbers` are right-aligned.
  static func table(
    _ head: [String], _ rows: [[String]], numbers: Set<Int> = [], marked: Int? = nil
  ) -> String {
    func kind(_ column: Int) -> String { numbers.contains(column) ? " class=\"n\"" : "" }
    var text = "<div class=\"wide\"><table>"
    if head.contains(where: { !$0.isEmpty }) {
      text += "<thead><tr>"
      for (column, name) in head.enumerated() {
        text += "<th scope=\"col\"\(kind(column))>\(escaped(name))</th>"
      }
      text += "</tr></thead>"
    }
    text += "<tbody>\n"
    for (index, row) in rows.enumerated() {
      text += index == marked ? "<tr class=\"best\">" : "<tr>"
      for (column, cell) in row.enumerated() {
        text += column == 0 ? "<th scope=\"row\"\(kind(0))>" : "<td\(kind(column))>"
        text += cell + (column == 0 ? "</th>" : "</td>")
      }
      text += "</tr>\n"
    }
    return text + "</tbody></table></div>\n"
  }

  /// What items waited for, with bars; `times` are seconds.
  static func stalls(_ times: [(word: String, seconds: Double)], title: String) -> String {
    guard let most = times.map(\.seconds).max(), most > 0 else { return "" }
    let rows = times.prefix(14).map { word, seconds in
      let (cause, width) = (StallCause(word), Words.decimal(seconds / most * 100))
      let style = "width:\(width)%;background:\(cause.color)"
      let bar = "<span class=\"bar\" style=\"\(style)\"></span>"
      return [escaped(word), Words.seconds(seconds), escaped(cause.meaning) + bar]
    }
    return "<section><h2>\(escaped(title))</h2>"
      + table(["cause", "time", "meaning"], rows, numbers: [1]) + "</section>\n"
  }

  /// The color of a curve, which distinguishes it from others in both themes.
  static func color(_ index: Int) -> String { series[index % series.count] }

  private static let series = [
    "#2f77c8", "#e07a1f", "#2f9e57", "#c93a3a", "#8a63b8", "#8c6148", "#d263ad", "#7a838d",
    "#a8a51e", "#1fa5b5",
  ]

  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.visible.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
