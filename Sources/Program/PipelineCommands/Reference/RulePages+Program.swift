extension RulePages {
  /// The environment's name for the folder with `checks.md`: a URL or an absolute path.
  package static let variable = "PIPELINE_DOCS"

  /// The pages that the environment names, if everyone can open them: a report is read on other machines.
  package static var published: RulePages? { named.flatMap { $0.isPublic ? $0 : nil } }

  /// The pages that an editor on this machine can open: those that the environment names, else those that came with
  /// the program, in `share/doc/pipeline` or in `docs` of the folder that it was built in.
  package static var local: RulePages? {
    if let named { return named }
    guard let program = FileContents.program else { return nil }
    var folder = program[...]
    // `.build/x86_64-unknown-linux-gnu/release/pipeline` is four levels down.
    for _ in 0..<5 {
      guard let slash = folder.lastIndex(of: "/") else { return nil }
      folder = folder[..<slash]
      for place in ["/share/doc/pipeline", "/docs"]
      where access(folder + place + "/checks.md", R_OK) == 0 {
        return RulePages(folder: folder + place)
      }
    }
    return nil
  }

  private static var named: RulePages? {
    guard let value = getenv(variable) else { return nil }
    return RulePages(folder: String(cString: value))
  }
}
