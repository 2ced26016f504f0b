import Foundation
import PipelineCommands
import PipelineCore
import PipelineDocument

/// A pipeline's file, and those that it uses, read and checked.
struct Definition {
  let file: String
  let text: String
  /// Texts of the files that it uses, by their paths from its folder.
  let used: [String: String]
  let pipeline: Pipeline

  /// Reads and checks `file`; what is wrong with it is said on standard error.
  static func load(_ file: String) throws(CommandFailure) -> Definition {
    try check(try FileContents.argument(file), file: file, files: .beside(file))
  }

  static func check(
    _ bytes: [UInt8], file: String, files: DocumentFiles
  ) throws(CommandFailure) -> Definition {
    let result = PipelineDocument.load(bytes: bytes, file: file, files: files)
    let text = String(decoding: bytes, as: UTF8.self)
    if !result.diagnostics.isEmpty {
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
