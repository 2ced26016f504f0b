package import ArgumentParser
package import PipelineDocument

/// How far the files reach that a document names.
package struct RootOption: ParsableArguments {
  @Option(
    name: .customLong("root"),
    help: ArgumentHelp(
      "Folder that files which the document names lie in (default: the document's own).",
      valueName: "dir"))
  package var folder: String?

  package init() {}
}

extension DocumentFiles {
  /// Bytes that a file may have which a document names: no more would be read as YAML.
  package static let sizeLimit = 16 << 20

  /// The files beside `file`, as they lie on the disk; beside standard input, those of the working folder.
  ///
  /// - Parameter root: The folder that they must lie in; `nil` is the folder of `file`.
  package static func beside(_ file: String, root: String? = nil) -> DocumentFiles {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let root = root ?? (folder.isEmpty ? "." : folder)
    return DocumentFiles(reading: { (path: String) throws(Refusal) -> [UInt8] in
      do throws(FileContents.Problem) {
        return try FileContents.bytes(
          path.hasPrefix("/") ? path : folder + path, below: root, atMost: sizeLimit)
      } catch {
        throw Refusal(error.reason, help: help(error.reason))
      }
    })
  }

  private static func help(_ reason: String) -> String {
    reason.hasPrefix("it lies outside")
      ? "a document may name files in its own folder alone; '--root DIR' lets it reach further"
      : Refusal.unreadable.help
  }

  /// The files of `contents`, by their paths.
  package static func kept(_ contents: [String: String]) -> DocumentFiles {
    DocumentFiles { path in contents[path].map { Array($0.utf8) } }
  }
}
