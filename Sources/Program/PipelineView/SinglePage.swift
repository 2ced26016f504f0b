/// The page of one run as a file that needs nothing else: for a ticket, or to keep.
package struct SinglePage {
  package let html: String

  package init(_ source: any PageSource, run: String) async throws {
    let state = try await source.run(run)
    let items = try await source.items(of: run, ItemQuery())
    let events = try await source.history(of: run, HistoryQuery())
      .split(separator: "\n").joined(separator: ",")
    let runs = try await source.runs()
    let data = #"{"run":\#(state),"items":\#(items),"history":[\#(events)],"runs":\#(runs)}"#
    html = Self.page(data)
  }

  private static func page(_ data: String) -> String {
    // Nothing in a text can end the element.
    let safe = data.replacing("<", with: #"\u003c"#)
    let scripts = inOrder().map(withoutModules).joined(separator: "\n")
    let policy =
      "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
    var page = PageFiles.document
    page.replace(
      #/<link rel="stylesheet"[^>]*>/#,
      with: """
        <meta http-equiv="Content-Security-Policy" content="\(policy)">
        <style>
        \(PageFiles.style)
        </style>
        """)
    page.replace(
      #/<script type="module"[^>]*></script>/#,
      with: """
        <script type="application/json" id="data">\(safe)</script>
        <script type="module">
        \(scripts)
        </script>
        """)
    return page
  }

  /// The scripts, each after those that it imports.
  private static func inOrder() -> [String] {
    var order: [String] = []
    func visit(_ name: String) {
      guard !order.contains(name), let text = PageFiles.scripts[name] else { return }
      for found in text.matches(of: #/from "\.\/(\w+)\.js"/#) { visit(String(found.output.1)) }
      order.append(name)
    }
    for name in PageFiles.scripts.keys.sorted() { visit(name) }
    return order.compactMap { PageFiles.scripts[$0] }
  }

  /// One script has no modules: their names are all different, which a test of the page checks.
  private static func withoutModules(_ text: String) -> String {
    text.replacing(#/(?m)^import [^;]*;\n/#, with: "").replacing(#/(?m)^export /#, with: "")
  }
}
