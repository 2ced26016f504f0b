import PipelineCommands
import PipelineCore
import PipelineDocument

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A pipeline's file, and the files that it uses, read and checked.
struct Definition {
  let file: String
  let text: String
  /// Texts of the files that it uses, by path relative to its folder.
  let used: [String: String]
  let pipeline: Pipeline

  /// Reads and checks `file`; prints its errors to standard error.
  ///
  /// - Parameter root: The folder that must contain the files it names; `nil` is its own.
  static func load(_ file: String, root: String? = nil) throws(CommandFailure) -> Definition {
    let bytes = try FileContents.argument(file, atMost: DocumentFiles.sizeLimit + 1)
    return try check(bytes, file: file, files: .beside(file, root: root))
  }

  /// Reads a run's own copy of its definition, which may be in the words of an earlier version.
  ///
  /// - Parameter warns: Whether warnings are printed; errors are in any case.
  static func kept(_ folder: RunFolder, warns: Bool = true) throws -> Definition {
    let (text, files) = try folder.definitionInPresentWords()
    return try check(
      Array(text.utf8), file: folder.definitionPath, files: files, warns: warns)
  }

  static func check(
    _ bytes: [UInt8], file: String, files: DocumentFiles, warns: Bool = true
  ) throws(CommandFailure) -> Definition {
    let result = PipelineDocument.load(bytes: bytes, file: file, files: files)
    let text = String(decoding: bytes, as: UTF8.self)
    if !result.diagnostics.isEmpty, warns || result.pipeline == nil {
      let sources = result.usedSources.merging([file: text]) { _, own in own }
      Terminal.write(DiagnosticText(sources: sources).render(result.diagnostics), to: 2)
    }
    guard let pipeline = result.pipeline else { throw CommandFailure(.invalid) }
    return Definition(file: file, text: text, used: result.usedFiles, pipeline: pipeline)
  }

  var folder: String {
    URL(filePath: StateFolder.absolute(file)).deletingLastPathComponent().path
  }
}

extension RunFolder {
  /// The run's own copy of its definition, and of the files that it uses, in the present words of the language.
  ///
  /// The copy itself stays as it is, so that the version that wrote it can still read it.
  func definitionInPresentWords() throws -> (text: String, files: DocumentFiles) {
    let (text, used) = (try definition(), usedFiles)
    let result = PipelineDocument.load(text: text, file: definitionPath, files: .kept(used))
    guard PresentWords.isNeeded(result.diagnostics) else { return (text, .kept(used)) }
    let present = used.reduce(into: used) {
      $0[$1.key] = PresentWords.of($1.value, file: $1.key, files: .kept(used))
    }
    return (
      PresentWords.of(text, file: definitionPath, files: .kept(present)), .kept(present)
    )
  }
}
