extension DocumentFiles {
  /// Size limit in bytes of a file that a document refers to: anything larger would not be read as YAML either.
  package static let sizeLimit = 16 << 20

  /// The files next to `file`, or in the working folder for standard input;
  /// `root` must contain them (`nil`: the folder of `file`).
  package static func beside(_ file: String, root: String? = nil) -> DocumentFiles {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let root = root ?? (folder.isEmpty ? "." : folder)
    return DocumentFiles(
      reading: { (path: String) throws(Refusal) -> [UInt8] in
        do throws(FileContents.Problem) {
          return try FileContents.bytes(
            path.hasPrefix("/") ? path : folder + path, below: root, atMost: sizeLimit)
        } catch { throw Refusal(error.reason, help: help(error.reason)) }
      },
      list: { path in
        let path = path.hasPrefix("/") ? path : folder + path
        return FileContents.names(in: path.isEmpty ? "." : path, below: root)
      })
  }

  private static func help(_ reason: String) -> String {
    reason.hasPrefix("it is outside")
      ? "a document may refer only to files in its own folder; '--root DIR' widens that"
      : Refusal.unreadable.help
  }

  package static func kept(_ contents: [String: String]) -> DocumentFiles {
    DocumentFiles { path in contents[path].map { Array($0.utf8) } }
  }
}

extension DiagnosticText {
  /// Prints findings on standard error, in the order of their places.
  static func show(_ diagnostics: [Diagnostic], _ sources: [String: String]) {
    let found = diagnostics.sortedByPlace()
    if !found.isEmpty { Terminal.write(DiagnosticText(sources: sources).render(found), to: 2) }
  }
}
