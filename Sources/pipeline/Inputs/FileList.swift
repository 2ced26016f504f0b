/// The files that `--files-from` names: one in a line, or, if the list contains NUL, one up to each NUL.
struct FileList {
  let name: String
  /// What a person is shown of it among the values of the inputs.
  let title: String
  /// The paths in their order, each with its line or number.
  let entries: [(path: String, number: Int)]
  let unreadable: [String]
  private let unit, folder: String

  /// Reads the list `file`, or standard input if it is `-`; its relative paths are relative to `folder`.
  init(_ file: String, in folder: String) throws(CommandFailure) {
    let bytes = try FileContents.argument(file)
    let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    name = file == "-" ? "standard input" : "'\(file)'"
    title = file == "-" ? "a list on standard input" : "the list '\(file)'"
    unit = separator == 0 ? "entry" : "line"
    self.folder = folder
    var entries: [(path: String, number: Int)] = []
    var unreadable: [String] = []
    for (index, part) in bytes.split(separator: separator, omittingEmptySubsequences: false)
      .enumerated() where !part.isEmpty
    {
      if let path = String(validating: part, as: UTF8.self) {
        entries.append((path, index + 1))
      } else {
        unreadable.append(String(decoding: part, as: UTF8.self))
      }
    }
    (self.entries, self.unreadable) = (entries, unreadable)
  }

  /// The folder that the list begins in: that in which the command runs, unless it names a file elsewhere.
  var beginning: String {
    let here = FolderName(folder)
    return entries.allSatisfy { FolderName(absolute($0.path)).isBelow(here) } ? folder : "/"
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + Self.plain(path)
  }

  /// The path without the `./` that `find` begins it with.
  private static func plain(_ path: String) -> String {
    path.hasPrefix("./") ? String(path.dropFirst(2)) : path
  }

  /// Calls `visit` with each file, in the order of the list; throws the first lines that name no file.
  func enumerate(
    _ options: GlobOptions, below common: FolderName, _ visit: (FileValue) throws -> Void
  ) throws -> GlobReport {
    var report = GlobReport()
    for name in unreadable { report.leaveOut(name, .notUTF8) }
    var problems: [String] = []
    for (path, number) in entries {
      let relative = FolderName(absolute(path)).below(common)
      if options.exclusions.contains(where: { $0.leavesOut(file: relative) }) {
        report.leaveOut(relative, .excluded)
        continue
      }
      do {
        let file = try SourceFile.describe(absolute(path), in: "/").with(relative: relative)
        try visit(file)
        report.add(file)
      } catch let failure as FileFailure {
        if let cause = Self.cause(of: absolute(path)) {
          report.leaveOut(relative, cause)
        } else {
          let help =
            failure.message.contains("is a folder") ? "; `find -type f` lists only files" : ""
          problems.append("\(name), \(unit) \(number): \(failure.message)\(help)")
        }
      }
      if problems.count == 10 { break }
    }
    if let failure = CommandFailure(problems: problems) { throw failure }
    return report
  }

  /// Why something that is there cannot be sent; `nil` if a person must correct the list.
  private static func cause(of path: String) -> GlobReport.Cause? {
    var raw = stat()
    guard lstat(path, &raw) == 0 else { return nil }
    if stat(path, &raw) != 0 { return errno == ENOENT || errno == ELOOP ? .brokenLink : nil }
    switch raw.st_mode & S_IFMT {
    case S_IFREG, S_IFDIR: return nil
    default: return .notAFile
    }
  }
}
