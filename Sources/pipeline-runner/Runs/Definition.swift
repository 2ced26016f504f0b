import Foundation
import PipelineCommands
import PipelineCore
import PipelineDocument

/// A pipeline's file, read and checked.
struct Definition {
  let file: String
  let text: String
  let pipeline: Pipeline

  /// Reads and checks `file`; what is wrong with it is said on standard error.
  static func load(_ file: String) throws(CommandFailure) -> Definition {
    let data = Data(try FileContents.argument(file))
    return try check(String(decoding: data, as: UTF8.self), bytes: data, file: file)
  }

  static func check(
    _ text: String, bytes: Data? = nil, file: String
  ) throws(CommandFailure) -> Definition {
    let result =
      bytes.map { PipelineDocument.load(bytes: $0, file: file) }
      ?? PipelineDocument.load(text: text, file: file)
    if !result.diagnostics.isEmpty {
      let rendered = DiagnosticText(sources: [file: text]).render(result.diagnostics)
      Terminal.write(rendered.hasSuffix("\n") ? rendered : rendered + "\n", to: 2)
    }
    guard let pipeline = result.pipeline else { throw CommandFailure(.invalid) }
    return Definition(file: file, text: text, pipeline: pipeline)
  }

  var folder: String {
    URL(filePath: StateFolder.absolute(file)).deletingLastPathComponent().path
  }
}
