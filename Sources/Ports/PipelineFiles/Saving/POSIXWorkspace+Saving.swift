extension POSIXWorkspace {
  /// The file that is in its place already; see ``FileWorkspace``.
  public func present(
    _ plan: DownloadPlan, at path: String
  ) async throws(FileFailure) -> FileValue? {
    guard let save = plan.save, save.existing.keepsSame, plan.size != nil || !plan.expected.isEmpty
    else { return nil }
    return try await pool.run { [self] flag throws(FileFailure) in
      try present(plan, save, at: path, flag)
    }
  }

  /// Paths of notes; see ``FileWorkspace``.
  public func partials() async -> [String] {
    (try? await pool.run { [self] _ throws(FileFailure) in tree.notePaths() }) ?? []
  }

  /// Deletes the received part; see ``FileWorkspace``.
  public func discardPartial(_ path: String) async {
    _ = try? await pool.run { [self] _ throws(FileFailure) in removePartial(path) }
  }

  private func removePartial(_ path: String) {
    guard let note = tree.note(path) else { return }
    if let save = SavePlan(run: RunID(""), folder: note.folder, name: note.name, existing: .refuse),
      let folder = try? TargetFolder.open(save, making: nil)
    {
      unlinkat(folder.raw, note.partial, 0)
    }
    tree.removeNote(path)
  }

  private func present(
    _ plan: DownloadPlan, _ save: SavePlan, at path: String, _ flag: CancellationFlag
  ) throws(FileFailure) -> FileValue? {
    guard let folder = try TargetFolder.openIfThere(save) else { return nil }
    let name = save.components.last ?? ""
    try claims.claim(name, in: try folder.status(save.folder), for: path, of: save, tree)
    guard try TargetFolder.status(of: name, in: folder.raw, save)?.isRegular == true
    else { return nil }
    let file = try Descriptor(
      name, in: folder.raw, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, "cannot read", save.path)
    let status = try file.status(save.path)
    guard status.isRegular, plan.size == nil || plan.size == status.size, status.size <= plan.limit
    else { return nil }
    let digests = try digests(of: file, plan, save, flag)
    guard plan.mismatch(digests) == nil, try file.status(save.path) == status else { return nil }
    removePartial(path)
    return FileValue(
      path: save.path, name: plan.name, size: status.size, modified: status.modified,
      contentType: MediaType.guess(fromName: name), digests: digests)
  }

  private func digests(
    of file: borrowing Descriptor, _ plan: DownloadPlan, _ save: SavePlan, _ flag: CancellationFlag
  ) throws(FileFailure) -> [DigestAlgorithm: String] {
    guard !plan.digests.isEmpty else { return [:] }
    var digester = Digester(plan.digests)
    try file.read(save.path) { bytes throws(FileFailure) in
      bytes.withUnsafeBytes { digester.update($0) }
      try flag.check()
      return true
    }
    return digester.finish()
  }

  func savedSink(
    for plan: DownloadPlan, _ save: SavePlan, at path: String
  ) throws(FileFailure) -> any FileSink {
    let folder = try TargetFolder.open(save, making: 0o777 & ~userMask)
    let name = save.components.last ?? ""
    try claims.claim(name, in: try folder.status(save.folder), for: path, of: save, tree)
    var note = PartialNote(save, at: path)
    if let known = tree.note(path) {
      // Another name than before: the part received under it is useless.
      if known.isAbout(save) { note = known } else { removePartial(path) }
    }
    if let status = try TargetFolder.status(of: name, in: folder.raw, save) {
      if status.isDirectory { throw isFolder(save) }
      let isOurs = note.published == PartialNote.Published(status)
      if isOurs, note.representation.validator != nil {
        try takeBack(note, name, in: folder.raw, save)
        note.published = nil
      } else if !isOurs, save.existing == .refuse {
        throw exists(save)
      }
    }
    return SavedSink(plan, save, at: path, SavedSink.Content(in: folder, note, plan.digests), self)
  }

  /// Removes a complete file of ours from its place: the process was killed before that was stored, or its result has expired.
  private func takeBack(
    _ note: PartialNote, _ name: String, in folder: Int32, _ save: SavePlan
  ) throws(FileFailure) {
    unlinkat(folder, note.partial, 0)
    let code = Rename.unlessTaken(name, to: note.partial, in: folder)
    guard code == 0 else { throw FileFailure.system("cannot rename", save.path, code) }
    let status = try TargetFolder.status(of: note.partial, in: folder, save)
    guard status.map(PartialNote.Published.init) != note.published else { return }
    // Someone put another one there in this very moment.
    _ = Rename.unlessTaken(note.partial, to: name, in: folder)
    throw exists(save)
  }

  func exists(_ save: SavePlan) -> FileFailure {
    FileFailure(
      .refused,
      message:
        "'\(save.path)' exists already; 'existing: replace' or 'existing: update' would replace it")
  }

  func isFolder(_ save: SavePlan) -> FileFailure {
    FileFailure(.refused, message: "'\(save.path)' is a folder")
  }
}
