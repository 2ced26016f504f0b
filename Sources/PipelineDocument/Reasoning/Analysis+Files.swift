import CEL
import PipelineCore

extension Analysis.Entry {
  /// Whether `path` is the field of a file: of an input, of the element of a loop over files, or of a materialize step.
  func isFileField(_ path: String, _ field: String, _ analysis: Analysis) -> Bool {
    guard path.hasSuffix(field) else { return false }
    let start = path.dropLast(field.count)
    guard start.last == "." else { return false }
    let owner = start.dropLast()
    if owner.hasPrefix("inputs."),
      let input = analysis.draft.inputs.first(where: { $0.name.value == owner.dropFirst(7) })
    {
      return input.kind == .file
    }
    if owner.hasPrefix("steps."), owner.hasSuffix(".file") { return true }
    guard let loop = place.loop, let node = analysis.loops[loop],
      let variable = node.variable, variable.value == owner,
      let items = analysis.entry(node.items, in: node.firstStep)?.compiled?.type
    else { return false }
    return items == .list(.object(Variables.file))
  }
}

extension Analysis {
  /// The words that a field of the response can contain according to the declared schema; `nil` if unknown.
  package func words(_ path: String, in entry: Entry) -> [String]? {
    // Steps are numbered in directory order.
    guard entry.place.hasResponse, directory.entries.indices.contains(entry.place.step) else {
      return nil
    }
    let step = directory.entries[entry.place.step].draft
    let isProbe = step.probe?.tookEffect?.range == entry.draft.range
    let request = isProbe ? step.probe?.request : step.action?.request
    return request?.response?.words[path]
  }
}
