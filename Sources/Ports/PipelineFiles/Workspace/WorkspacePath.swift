/// A path in a run's folder, split into components: it cannot name anything outside.
struct WorkspacePath {
  let folders: ArraySlice<String>
  let name: String

  init(_ text: String) throws(FileFailure) {
    guard !text.utf8.contains(0)
    else { throw FileFailure(.system, message: "a path in the run's folder contains NUL") }
    let components = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String($0) ?? "" }
    guard let name = components.last,
      components.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
    else { throw FileFailure(.system, message: "'\(text)' does not stay in the run's folder") }
    folders = components.dropLast()
    self.name = name
  }
}
