/// A pipeline's file, and the files that it uses, read and checked.
struct Definition {
  let file, text: String
  /// Texts of the files that it uses, by path relative to its folder.
  let used: [String: String]
  let pipeline: Pipeline

  /// Reads and checks `file`, whose files `root` must contain (`nil`: its own folder), and prints its errors.
  static func load(_ file: String, root: String? = nil) throws(CommandFailure) -> Definition {
    let bytes = try FileContents.argument(file, atMost: DocumentFiles.sizeLimit + 1)
    return try check(bytes, file: file, files: .beside(file, root: root))
  }

  /// Reads a run's own copy of its definition; prints its errors, and its warnings if `warns`.
  static func kept(_ folder: RunFolder, warns: Bool = true) async throws -> Definition {
    let text = try folder.definition()
    // Messages outlive a worker's copy, so they name the original.
    let file =
      (folder.shard == nil ? nil : folder.origin?.definition) ?? folder.definitionPath
    let result = PipelineDocument.load(text: text, file: file, files: .kept(folder.usedFiles))
    if result.pipeline == nil { try await folder.requireKnownForm() }
    return try checked(result, text: text, file: file, warns: warns)
  }

  static func check(
    _ bytes: [UInt8], file: String, files: DocumentFiles
  ) throws(CommandFailure) -> Definition {
    try checked(
      PipelineDocument.load(bytes: bytes, file: file, files: files),
      text: String(decoding: bytes, as: UTF8.self), file: file, warns: true)
  }

  private static func checked(
    _ result: PipelineDocument.Result, text: String, file: String, warns: Bool
  ) throws(CommandFailure) -> Definition {
    if !result.diagnostics.isEmpty, warns || result.pipeline == nil {
      let sources = result.usedSources.merging([file: text]) { _, own in own }
      Terminal.write(DiagnosticText(sources: sources).render(result.diagnostics), to: 2)
    }
    guard let pipeline = result.pipeline else { throw CommandFailure(.invalid) }
    return Definition(file: file, text: text, used: result.usedFiles, pipeline: pipeline)
  }

  var folder: String { URL(filePath: StateFolder.absolute(file)).deletingLastPathComponent().path }
}

extension RunFolder {
  /// Refuses a run of another version of the program, for commands that cannot read the definition and so do not open the store.
  func requireKnownForm() async throws(CommandFailure) {
    guard shard == nil else { return }
    do throws(StoreFailure) { _ = try await summary() } catch {
      guard error.kind == .otherVersion else { return }
      throw CommandFailure(storeFailure: error)
    }
  }
}
