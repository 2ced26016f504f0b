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

/// The style sheets and scripts of pages, which contain them, so that they need no other file.
enum PageFile {
  /// The style of every report of a simulation: light and dark, for screen and print.
  static var style: String { text(PackageResources.page_css) }
  /// The button that switches between light and dark.
  static var script: String { text(PackageResources.page_js) }
  static var timeline: String { text(PackageResources.timeline_js) }
  /// The chart of the timeline, with the names of its parts between braces.
  static var chart: String { text(PackageResources.timeline_html) }
  static var certificate: String { text(PackageResources.certificate_css) }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
