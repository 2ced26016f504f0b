public import PipelineCore
public import PipelineEngine

/// Files that stay where a person wants them.
extension VirtualDisk {
  /// Paths of the files that downloads have left, in order.
  public var savedPaths: [String] { saved.filter { owners[$0.key] != nil }.map(\.key).sorted() }

  /// Adds a file that is there before the run, at an absolute path.
  public mutating func addSaved(_ file: FileValue, content: [UInt8]? = nil) {
    saved[file.path] = WrittenFile(
      content: content.map(Content.bytes) ?? .opaque(file.path, size: file.size), pieces: [],
      modified: file.modified)
  }

  /// The file that is in its place already; see ``/PipelineEngine/FileWorkspace``.
  public mutating func present(
    _ plan: DownloadPlan, at path: String
  ) throws(FileFailure) -> FileValue? {
    guard let save = plan.save, save.existing == .update,
      plan.size != nil || !plan.expected.isEmpty
    else { return nil }
    try claim(save, for: path)
    guard let there = saved[save.path], plan.size == nil || plan.size == there.content.size else {
      return nil
    }
    let file = Self.described(
      there.content, at: save.path, name: plan.name, contentType: nil, plan.digests,
      modified: there.modified)
    return plan.mismatch(file.digests) == nil ? file : nil
  }

  /// Why a file must not be put where its plan says; see ``/PipelineEngine/FileWorkspace``.
  mutating func checkPlace(_ save: SavePlan, for path: String) throws(FileFailure) {
    let isOurs = owners[save.path] == path
    try claim(save, for: path)
    guard save.existing == .refuse, saved[save.path] != nil, !isOurs else { return }
    throw FileFailure(
      .refused,
      message:
        "'\(save.path)' exists already; 'existing: replace' or 'existing: update' would replace it")
  }

  private mutating func claim(_ save: SavePlan, for path: String) throws(FileFailure) {
    if let owner = owners[save.path], owner != path {
      let item = Evaluator.item(ofPath: owner).map { "item \($0)" } ?? "a step of the run"
      throw FileFailure(
        .refused, message: "'\(save.name)' in '\(save.folder)' is also the file of \(item)")
    }
    // A folder on the way to a file is none if it is a file itself.
    for count in save.components.indices.dropFirst() {
      let folder = save.folder + "/" + save.components[..<count].joined(separator: "/")
      if saved[folder] != nil {
        throw FileFailure(.refused, message: "'\(folder)' is not a folder")
      }
    }
    owners[save.path] = path
  }
}
