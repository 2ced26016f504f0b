/// The files that `validate`'s arguments name: files, folders, patterns, and `-`.
struct FileSelection {
  /// In the order of the arguments, without duplicates.
  private(set) var files: [String] = []
  private var seen: Set<String> = []
  private let folderPattern, noun: String

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
      if isFolder { try add(folder: argument) } else { add(file: argument) }
    } else if argument.contains(where: { "*?[{".contains($0) }) {
      try add(pattern: argument)
    } else {
      throw CommandFailure.invalid("cannot read '\(argument)': no such file or folder")
    }
  }

  private mutating func add(file: String) { if seen.insert(file).inserted { files.append(file) } }

  /// Adds the pipeline documents below a folder; other YAML files are not ours to check.
  private mutating func add(folder: String) throws(CommandFailure) {
    let base = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let count = files.count
    for name in try Self.matches(folderPattern, in: base) {
      let path = base == "." ? name : base + "/" + name
      guard let bytes = try? FileContents.bytes(path, atMost: DocumentFiles.sizeLimit),
        Self.isDocument(bytes)
      else { continue }
      add(file: path)
    }
    guard files.count > count else {
      throw CommandFailure.invalid("the folder '\(folder)' contains no \(noun)")
    }
  }

  private mutating func add(pattern: String) throws(CommandFailure) {
    let found = try Self.matches(pattern, in: ".")
    guard !found.isEmpty else { throw CommandFailure.invalid("no file matches '\(pattern)'") }
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
      throw CommandFailure.invalid("'\(pattern)': \(error.message)")
    } catch { throw CommandFailure.invalid("'\(pattern)': \(error)") }
  }

  /// Whether a line starts with a key of our documents, or with a misspelling: a broken document must be reported, not skipped.
  private static func isDocument(_ bytes: [UInt8]) -> Bool {
    let text = text(bytes)
    var names: Set<Substring> = []
    for line in text.split(whereSeparator: \.isNewline) {
      let name = line.prefix { $0.isLetter || $0 == "_" || $0 == "\"" || $0 == "'" }
      let rest = line[name.endIndex...].drop { $0 == " " || $0 == "\t" }
      guard rest.first == ":" else { continue }
      names.insert(name.drop { "\"'".contains($0) }.prefix { !"\"'".contains($0) })
    }
    let own: [Substring] = ["pipeline", "test", "scenario"]
    if own.contains(where: names.contains) { return true }
    // A misspelled first key with other keys of ours: `pipelne:` with `steps:`.
    let parts: [Substring] = ["steps", "cases", "inputs", "items", "budgets"]
    return parts.contains(where: names.contains)
      && names.contains { name in own.contains { Self.isNear(String(name), String($0)) } }
  }

  /// Decodes the text by its byte order mark: UTF-16 if it has one, else UTF-8.
  private static func text(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      let isLittle = bytes[0] == 0xFF
      let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
        isLittle
          ? UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8
          : UInt16(bytes[index]) << 8 | UInt16(bytes[index + 1])
      }
      return String(decoding: units, as: UTF16.self)
    }
    let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    return String(decoding: bytes.dropFirst(hasMark ? 3 : 0), as: UTF8.self)
  }

  /// Whether one missing, extra, different or swapped letter turns one word into the other.
  private static func isNear(_ first: String, _ second: String) -> Bool {
    let (a, b) = (Array(first.utf8), Array(second.utf8))
    return a == b || min(a.count, b.count) > 2 && editDistance(a, b) <= 1
  }
}
