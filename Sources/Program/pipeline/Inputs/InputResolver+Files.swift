/// The options of the command line for `files` inputs in addition to their patterns.
extension InputResolver {
  /// The lists of `--files-from` that are meant for an input.
  func lists(of declaration: InputDeclaration) throws(CommandFailure) -> [FileList] {
    guard declaration.kind == .files else { return [] }
    let names = pipeline.inputs.filter { $0.kind == .files }.map(\.name)
    var lists: [FileList] = []
    for text in selection.lists {
      let start = text.firstIndex(of: "=").map { String(text[..<$0]) }
      if let start, names.contains(start) {
        guard start == declaration.name else { continue }
        lists.append(try FileList(String(text.dropFirst(start.count + 1)), in: Self.workingFolder))
      } else if names.count == 1 {
        lists.append(try FileList(FileContents.withHome(text), in: Self.workingFolder))
      }
    }
    return lists
  }

  func refuseLists() throws(CommandFailure) {
    let names = pipeline.inputs.filter { $0.kind == .files }.map(\.name)
    for text in selection.lists where names.count != 1 {
      guard !names.contains(where: { text.hasPrefix($0 + "=") }) else { continue }
      let known = names.map { "'\($0)=FILE'" }.joined(separator: " or ")
      throw CommandFailure.invalid(
        "--files-from '\(text)': "
          + (names.isEmpty
            ? "pipeline '\(pipeline.name)' has no input of the type 'files'" : "expected \(known)"))
    }
  }

  func rules(of declaration: InputDeclaration) throws(CommandFailure) -> GlobOptions {
    var options = GlobOptions()
    options.includesHidden = declaration.files.includesHidden || selection.rules.includesHidden
    options.followsLinks = declaration.files.followsLinks || selection.rules.followsLinks
    for (text, source) in declaration.files.exclude.map({ ($0, "'exclude'") })
      + selection.rules.exclude.map({ ($0, "--exclude") })
    {
      do throws(GlobError) {
        options.exclusions.append(try FileExclusion(text))
      } catch { throw CommandFailure.invalid("\(source) '\(text)': \(error)") }
    }
    return options
  }
}
