/// The object that a PUT stores is replaced by the next PUT to the same URL.
enum SharedTargetRule: Rule {
  package static func check(_ analysis: ExpressionAnalysis, _ collector: DiagnosticCollector) {
    for entry in analysis.directory.entries {
      guard let number = entry.loop, let loop = analysis.loops[number],
        let request = entry.draft.action?.request, request.method.value == "PUT",
        let url = request.url, request.headerMaps.isEmpty, entry.draft.action?.kind != .poll,
        entry.draft.batch == nil, !entry.draft.sharesTarget,
        storesElement(entry, request, loop, analysis)
      else { continue }
      let templates = templates(request, url)
      // An expression that could not be compiled may read anything.
      guard analysis.isCompiled(templates, in: entry.index) else { continue }
      let read = analysis.variables(of: templates, in: entry.index)
      let own = read.filter { analysis.isOfElement($0, of: entry.draft, in: loop) }
      if own.isEmpty {
        let element = entry.draft.partOf == nil ? "item" : "part"
        collector.report(
          .sharedTarget, "each \(element) is stored under the same URL, where the last one remains",
          at: url.range, help: help(entry.draft, loop, analysis))
      } else if entry.draft.partOf == nil, let variable = loop.variable?.value,
        own == [variable], let glob = glob(of: loop, analysis), glob.value.hasManyFolders,
        analysis.fields(of: variable, in: templates, step: entry.index) == ["name"]
      {
        collector.report(
          .sharedTarget, "files of one name in different folders are stored under the same URL",
          at: url.range, note: ("the files come from several folders", glob.range),
          help: "write 'urlEscapePath(\(variable).relative)' instead of the name")
      }
    }
  }

  private static func storesElement(
    _ entry: StepDirectory.Entry, _ request: DraftRequest, _ loop: DraftLoop,
    _ analysis: ExpressionAnalysis
  ) -> Bool {
    if case .upload? = entry.draft.action { return true }
    return analysis.variables(of: request.body?.templates ?? [], in: entry.index).contains {
      analysis.isOfElement($0, of: entry.draft, in: loop)
    }
  }

  /// The parts that identify the target of a request: its destination,
  /// and headers that describe more than the content.
  private static func templates(_ request: DraftRequest, _ url: DraftTemplate) -> [DraftTemplate?] {
    let headers = request.headers.filter { header in
      let name = header.name.value.lowercased()
      return !name.hasPrefix("content-") || name == "content-range"
    }
    return [url] + (request.query + headers).map(\.value)
  }

  private static func help(_ step: DraftStep, _ loop: DraftLoop, _ analysis: ExpressionAnalysis)
    -> String
  {
    guard step.partOf == nil
    else { return "let the URL, its query or 'Content-Range' identify the part" }
    let variable = loop.variable?.value ?? "item"
    return glob(of: loop, analysis) == nil && !isOverFiles(loop, analysis)
      ? "add something of the item to the URL, such as '${{ item.index }}'"
      : "add '${{ urlEscapePath(\(variable).relative) }}' to the URL"
  }

  private static func isOverFiles(_ loop: DraftLoop, _ analysis: ExpressionAnalysis) -> Bool {
    analysis.entry(loop.items, in: loop.firstStep)?.compiled?.type == .list(.object(Variables.file))
  }

  private static func glob(of loop: DraftLoop, _ analysis: ExpressionAnalysis) -> Located<String>? {
    guard let path = analysis.entry(loop.items, in: loop.firstStep)?.syntax.pathText,
      path.hasPrefix("inputs."),
      let input = analysis.draft.inputs.first(where: { $0.name.value == path.dropFirst(7) }),
      input.kind == .files
    else { return nil }
    return input.defaultText
  }
}

extension String {
  fileprivate var hasManyFolders: Bool {
    split(separator: "/").dropLast().contains { $0.contains { "*?[{".contains($0) } }
  }
}
