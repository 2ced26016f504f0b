import PipelineCore

/// Parts of a self-contained HTML page.
enum Page {
  /// A whole document; `script` reads `data`, which is JSON, from the element `data`.
  static func document(
    title: String, body: String, data: String? = nil, script: String? = nil
  ) -> String {
    var text = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <title>\(escaped(title))</title>
      <style>
      \(PageFile.style)</style>
      </head>
      <body>
      <main>
      \(body)
      </main>

      """
    if let data {
      // Text inside must not end the element, and is escaped as elsewhere.
      let safe = data.unicodeScalars.map { scalar in
        scalar == "<" ? "\\u003c" : scalar.isInvisible ? "\\" + scalar.escape : String(scalar)
      }.joined()
      text += "<script type=\"application/json\" id=\"data\">\(safe)</script>\n"
    }
    text += "<script>\n" + PageFile.script
    if let script { text += script }
    return text + "</script>\n</body>\n</html>\n"
  }

  /// The head of a page.
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

  /// A number with its name.
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
      [
        escaped(word), SimulationFormatting.duration(.milliseconds(Int64(seconds * 1000))),
        "\(escaped(StallCause(word).meaning))<span class=\"bar\" style=\"width:"
          + "\(SimulationFormatting.decimal(seconds / most * 100))%;background:"
          + "\(StallCause(word).color)\"></span>",
      ]
    }
    return "<section><h2>\(escaped(title))</h2>"
      + table(["cause", "time", "meaning"], rows, numbers: [1]) + "</section>\n"
  }

  /// Text escaped for element content and attributes.
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

/// Colours that distinguish curves, in both themes.
enum PageColors {
  private static let series = [
    "#2f77c8", "#e07a1f", "#2f9e57", "#c93a3a", "#8a63b8", "#8c6148", "#d263ad", "#7a838d",
    "#a8a51e", "#1fa5b5",
  ]

  /// The colour of a curve.
  static func series(_ index: Int) -> String { series[index % series.count] }
}
