import PipelineEngine

/// A path under a run's folder, taken apart: it cannot name anything outside.
struct WorkspacePath {
  /// The folders, outermost first.
  let folders: ArraySlice<String>
  /// The last component.
  let name: String

  /// Takes `text` apart.
  ///
  /// - Throws: ``FileFailure/Kind/system`` where the text is absolute, empty, holds a NUL, or a component `.`, `..` or none.
  init(_ text: String) throws(FileFailure) {
    guard !text.utf8.contains(0) else {
      throw FileFailure(.system, message: "a path of the run's folder holds a NUL")
    }
    let components = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String($0) ?? "" }
    guard let name = components.last,
      components.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
    else {
      throw FileFailure(
        .system, message: "'\(text)' does not stay in the run's folder")
    }
    folders = components.dropLast()
    self.name = name
  }
}
