/// The files of a `files` input: the matches of its patterns and the entries of its lists, each once.
struct FileSources {
  var patterns: [FilePattern] = []
  var lists: [FileList] = []
  var options = GlobOptions()
  /// Which of the files are used; `nil` means all, and there must be some.
  var selection: Selection?

  struct Selection {
    let takes: @Sendable (FileValue) -> Bool
    /// Called with each folder before it is read.
    var entering: @Sendable (String) -> Void = { _ in }
  }

  /// The text for the user, which is stored with the run for comparison.
  var text: String { (patterns.map(\.text) + listNames).joined(separator: "\n") }
  /// The same with the folders that relative patterns start in.
  var wholeText: String { (patterns.map(\.wholeText) + listNames).joined(separator: "\n") }

  /// The patterns and the folders that they start in, for messages.
  var description: String {
    (patterns.map { "'\($0.text)' in '\($0.folder)'" } + listNames).joined(separator: ", ")
  }

  private var listNames: [String] { lists.map(\.title) }

  /// Calls `visit` with each file, and with unreadable entries: pattern by pattern, and then those of the lists.
  ///
  /// ``/PipelineCore/FileValue/relative`` is the path below the deepest folder that contains those in which all of them start, so
  /// that no two files have the same.
  ///
  /// - Throws: ``CommandFailure`` with the name of the `input` if a pattern matches nothing; any
  ///   error of `visit`.
  func enumerate(of input: String, _ visit: (FileValue) throws -> Void) throws -> GlobReport {
    do {
      let report = try enumerate(visit)
      guard report.files == 0, report.remarks[.unreadable] == nil, selection == nil else {
        return report
      }
      throw Self.nothing(description, report)
    } catch let failure as CommandFailure {
      throw CommandFailure(
        failure.status, "input '\(input)': \(failure.message ?? "")", details: failure.details)
    } catch let failure as FilePattern.Outside {
      throw CommandFailure.invalid("input '\(input)': \(failure)")
    } catch let failure as FileFailure {
      throw CommandFailure.invalid("input '\(input)': \(failure.message)")
    }
  }

  private static func nothing(_ patterns: String, _ report: GlobReport) -> CommandFailure {
    CommandFailure(
      .invalid, "no file matches \(patterns)",
      details: FileRemarks.lines(report).map { "  " + $0.text })
  }

  private func enumerate(_ visit: (FileValue) throws -> Void) throws -> GlobReport {
    let beginnings = try patterns.map { FolderName(try $0.glob.folder(in: $0.folder)) }
    let common = FolderName(commonTo: beginnings + lists.map { FolderName($0.beginning) })
    var report = GlobReport()
    var marks: Set<PathFingerprint> = []
    let isAlone = patterns.count == 1 && lists.isEmpty
    func take(_ file: FileValue) throws {
      guard selection?.takes(file) != false else { return }
      guard isAlone || marks.insert(PathFingerprint(file.relative)).inserted else {
        report.remark(file.relative, .repeated)
        return
      }
      try visit(file)
      report.add(file)
    }
    for (pattern, beginning) in zip(patterns, beginnings) {
      let lead = beginning.below(common)
      if !lead.isEmpty, isExcluded(folder: lead) {
        report.remark(lead + "/", .excluded)
        continue
      }
      let found = try pattern.enumerate(
        options, below: lead.isEmpty ? "" : lead + "/",
        entering: selection?.entering ?? { _ in }, take)
      report.add(remarksOf: found)
      if found.files == 0, found.remarks[.excluded] == nil, found.remarks[.unreadable] == nil,
        selection == nil
      {
        throw Self.nothing("'\(pattern.text)' in '\(pattern.folder)'", found)
      }
    }
    for list in lists { report.add(remarksOf: try list.enumerate(options, below: common, take)) }
    return report
  }

  private func isExcluded(folder: String) -> Bool {
    options.exclusions.contains { exclusion in
      exclusion.matches(folder, isFolder: true) || exclusion.leavesOut(file: folder + "/.")
    }
  }
}

/// A value in 128 bits, for sets of millions: a set of paths would be too large.
struct PathFingerprint: Hashable {
  private let first, second: Int

  init(_ value: some Hashable) {
    var hasher = Hasher()
    hasher.combine(value)
    first = hasher.finalize()
    hasher = Hasher()
    hasher.combine(1)
    hasher.combine(value)
    second = hasher.finalize()
  }
}
