import PipelineCore
import PipelineFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The files that the arguments of `validate` name: files, folders, patterns, and `-`.
struct FileSelection {
  /// In the order of the arguments, each once.
  private(set) var files: [String] = []
  private var seen: Set<String> = []

  /// Which files of a folder are meant.
  private let folderPattern: String
  /// What a folder is expected to hold.
  private let noun: String

  init(
    _ arguments: [String], inFolders pattern: String = "**/*.{yaml,yml}",
    holding noun: String = "pipeline"
  ) throws(CommandFailure) {
    folderPattern = pattern
    self.noun = noun
    for argument in arguments { try add(argument) }
  }

  private mutating func add(_ argument: String) throws(CommandFailure) {
    var isFolder = false
    if argument == "-" || FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder) {
      if isFolder {
        try add(folder: argument)
      } else {
        add(file: argument)
      }
    } else if argument.contains(where: { "*?[{".contains($0) }) {
      try add(pattern: argument)
    } else {
      throw CommandFailure(.invalid, "cannot read '\(argument)': no such file or folder")
    }
  }

  private mutating func add(file: String) {
    if seen.insert(file).inserted { files.append(file) }
  }

  /// Adds the documents of the language below a folder; other YAML files are none of ours.
  private mutating func add(folder: String) throws(CommandFailure) {
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let count = files.count
    for name in try Self.matches(folderPattern, in: base) {
      let path = base == "." ? name : base + "/" + name
      guard let bytes = try? FileContents.bytes(path), Self.isDocument(bytes) else { continue }
      add(file: path)
    }
    guard files.count > count else {
      throw CommandFailure(.invalid, "the folder '\(folder)' holds no \(noun)")
    }
  }

  private mutating func add(pattern: String) throws(CommandFailure) {
    let found = try Self.matches(pattern, in: ".")
    guard !found.isEmpty else {
      throw CommandFailure(.invalid, "no file matches '\(pattern)'")
    }
    for path in found { add(file: path) }
  }

  private static func matches(_ pattern: String, in base: String) throws(CommandFailure) -> [String]
  {
    let root = base.hasPrefix("/") ? base : FileManager.default.currentDirectoryPath + "/" + base
    let isAbsolute = pattern.hasPrefix("/")
    do {
      var paths: [String] = []
      let folder = URL(filePath: root).standardizedFileURL.path
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      try FileGlob(pattern).enumerate(in: folder) { file in
        let isBelow = !isAbsolute && file.path.hasPrefix(prefix)
        paths.append(isBelow ? String(file.path.dropFirst(prefix.count)) : file.path)
      }
      return paths
    } catch let error as GlobError {
      throw CommandFailure(.invalid, "'\(pattern)': \(error.message)")
    } catch {
      throw CommandFailure(.invalid, "'\(pattern)': \(error)")
    }
  }

  /// Whether a line begins with a key that only our documents begin with.
  private static func isDocument(_ bytes: [UInt8]) -> Bool {
    let keys = ["pipeline:", "test:", "scenario:"].map { Array($0.utf8) }
    var start = 0
    while start < bytes.count {
      if keys.contains(where: { bytes[start...].starts(with: $0) }) { return true }
      start = (bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count) + 1
    }
    return false
  }
}
