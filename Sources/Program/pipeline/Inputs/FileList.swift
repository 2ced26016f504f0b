/// The files that `--files-from` names: one in a line, or, if the list contains NUL, one up to each NUL, which allows any name.
struct FileList {
  let name: String
  /// Its text among the values of the inputs.
  let title: String
  /// The paths in their order, each with its line or number, and why it cannot be one.
  let entries: [(path: String, number: Int, problem: FileFailure?)]
  private let unit, folder: String

  /// Reads the list `file`, or standard input if it is `-`; its relative paths are relative to `folder`.
  init(_ file: String, in folder: String) throws(CommandFailure) {
    let bytes = try FileContents.argument(file)
    let separator: UInt8 = bytes.contains(0) ? 0 : UInt8(ascii: "\n")
    let parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
    // Windows writes a mark at the beginning, and a carriage return before each line break.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let isForeign =
      separator != 0 && parts.count > 1
      && parts.dropLast().allSatisfy { $0.last == UInt8(ascii: "\r") }
    name = file == "-" ? "standard input" : "'\(file)'"
    title = file == "-" ? "a list on standard input" : "the list '\(file)'"
    unit = separator == 0 ? "entry" : "line"
    self.folder = folder
    entries = parts.enumerated().compactMap { index, part in
      var part = part
      if index == 0, separator != 0, part.starts(with: mark) { part = part.dropFirst(mark.count) }
      if isForeign, part.last == UInt8(ascii: "\r") { part = part.dropLast() }
      guard !part.isEmpty else { return nil }
      let path = String(validating: part, as: UTF8.self)
      return (path ?? SourceFile.escaped(part), index + 1, path == nil ? SourceFile.notUTF8 : nil)
    }
  }

  /// The folder that the list starts in: that in which the command runs, unless it names a file elsewhere.
  var beginning: String {
    let here = FolderName(folder)
    return entries.allSatisfy { FolderName(absolute($0.path)).isBelow(here) } ? folder : "/"
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + Self.plain(path)
  }

  /// The path without the `./` that `find` adds at its start.
  private static func plain(_ path: String) -> String {
    path.hasPrefix("./") ? String(path.dropFirst(2)) : path
  }

  /// Calls `visit` with each file, in the order of the list, and with the lines that do not name one.
  func enumerate(
    _ options: GlobOptions, below common: FolderName, _ visit: (FileValue) throws -> Void
  ) throws -> GlobReport {
    var report = GlobReport()
    for (path, number, problem) in entries {
      let relative = FolderName(absolute(path)).below(common)
      if options.exclusions.contains(where: { $0.leavesOut(file: relative) }) {
        report.remark(relative, .excluded)
        continue
      }
      let file = describe(path, number, problem).with(relative: relative)
      try visit(file)
      report.add(file)
    }
    return report
  }

  private func describe(_ path: String, _ number: Int, _ problem: FileFailure?) -> FileValue {
    do throws(FileFailure) {
      if let problem { throw problem }
      return try SourceFile.describe(absolute(path), in: "/")
    } catch {
      let help = error.message.contains("is a folder") ? "; `find -type f` lists only files" : ""
      let message = "\(name), \(unit) \(number): \(error.message)\(help)"
      return SourceFile.unreadable(absolute(path), FileFailure(error.kind, message: message))
    }
  }
}
