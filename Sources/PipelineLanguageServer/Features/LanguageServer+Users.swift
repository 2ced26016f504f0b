import PipelineAuthoring
import PipelineDocument

extension LanguageServer {
  /// The most files on disk that are read to find those that use one.
  private static let maximumFiles = 1000

  /// The documents that may use a file: those in the editor, and others near it on disk that contain its name.
  ///
  /// Those on disk are in its folder, in two folders above, and in the folders of these, as far as `--root` allows.
  func users(of used: OpenDocument) -> [(document: OpenDocument, analysis: DocumentAnalysis)] {
    let open = documents.values.filter { $0.uri != used.uri && !$0.isTooLarge }
    let taken = Set(documents.values.map(\.file))
    let found = open.sorted { $0.uri < $1.uri } + onDisk(near: used, except: taken)
    return found.map { document in
      var document = document
      let analysis = document.analysis(files(beside: document))
      return (document, analysis)
    }
  }

  private func onDisk(near used: OpenDocument, except open: Set<String>) -> [OpenDocument] {
    guard used.file.hasPrefix("/"), let slash = used.file.lastIndex(of: "/") else { return [] }
    let folder = String(used.file[...slash])
    let name = Array(used.file[used.file.index(after: slash)...].utf8)
    let disk = disk(beside: used.file)
    var rest = Self.maximumFiles
    var seen: Set<String> = []
    var found: [OpenDocument] = []
    func read(_ path: String, depth: Int) {
      // A folder above is a new place; one that was read is not read again.
      guard seen.insert(FileURI.normal(folder + path)).inserted else { return }
      for entry in disk.entries(of: path).sorted() where !entry.hasPrefix(".") && rest > 0 {
        let path = path.isEmpty ? entry : "\(path)/\(entry)"
        if entry.hasSuffix("/") {
          if depth > 0 { read(String(path.dropLast()), depth: depth - 1) }
        } else if entry.hasSuffix(".yaml") || entry.hasSuffix(".yml") {
          let file = FileURI.normal(folder + path)
          guard !open.contains(file) else { continue }
          rest -= 1
          guard let text = disk.text(path), text.utf8.count <= OpenDocument.maximumBytes,
            Array(text.utf8).firstRange(of: name) != nil
          else { continue }
          found.append(OpenDocument(uri: FileURI.uri(file), version: nil, text: text))
        }
      }
    }
    for path in ["", "..", "../.."] { read(path, depth: 2) }
    return found
  }
}
