package import PipelineDocument

extension DocumentFiles {
  /// The files beside `file`, as they lie on the disk; beside standard input, those of the working folder.
  package static func beside(_ file: String) -> DocumentFiles {
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    return DocumentFiles { path in
      try? FileContents.bytes(path.hasPrefix("/") ? path : folder + path)
    }
  }

  /// The files of `contents`, by their paths.
  package static func kept(_ contents: [String: String]) -> DocumentFiles {
    DocumentFiles { path in contents[path].map { Array($0.utf8) } }
  }
}
