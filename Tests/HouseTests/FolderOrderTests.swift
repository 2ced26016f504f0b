import Testing

/// The folders of a target, from the highest: a file uses only what its own folder and those after it declare.
struct FolderOrder {
  /// The path of the target, which ends in its name.
  let target: String
  /// The folders directly below it; `.` has the files that are in none.
  let folders: [String]

  /// The targets whose folders have an order.
  static let all = [
    FolderOrder(
      target: "Sources/Document/PipelineDocument",
      folders: [
        ".", "Audit", "Comparison", "Overrides", "Formats", "Checks", "Rules", "Using", "Checking",
        "Reasoning", "Reading", "Draft", "Grammar", "Inputs", "Diagnostics", "Literals",
      ]),
    FolderOrder(
      target: "Sources/Document/PipelineAuthoring",
      folders: [".", "Analysis", "Reference", "Catalogue"]),
    FolderOrder(
      target: "Sources/Program/PipelineReports",
      folders: [
        ".", "Blockers", "Status", "Items", "History", "Figures", "Words", "Forms", "JSON",
      ]),
    FolderOrder(
      target: "Sources/Program/PipelineCommands",
      folders: [
        ".", "Commands", "Validation", "Simulation", "Reference", "Schemas", "Settings", "Terminal",
      ]),
    FolderOrder(
      target: "Sources/Program/pipeline",
      folders: [
        ".", "Commands", "View", "Database", "Watching", "Runs", "Reports", "Inputs", "Records",
        "Progress", "Formatting", "State",
      ]),
  ]

  /// The folder of a file of the target.
  func folder(of path: String) -> String {
    let parts = path.dropFirst(target.count + 1).split(separator: "/")
    return parts.count > 1 ? String(parts[0]) : "."
  }

  /// The uses of declarations in higher folders, as messages.
  func upwardReferences(in files: [IndexedFile]) -> [String] {
    let rank = Dictionary(uniqueKeysWithValues: folders.enumerated().map { ($1, $0) })
    func rankOf(_ file: IndexedFile) -> Int { rank[folder(of: file.path)] ?? -1 }
    var homes: [String: IndexedFile] = [:]
    for file in files.sorted(by: { rankOf($0) < rankOf($1) }) {
      for symbol in file.declared { homes[symbol] = file }
    }
    return files.flatMap { file in
      file.used.sorted { ($0.line, $0.name) < ($1.line, $1.name) }.compactMap { use in
        guard let home = homes[use.symbol], rankOf(home) < rankOf(file) else { return nil }
        return """
          \(file.path):\(use.line): \(folder(of: file.path)) uses \(use.name), which is declared in \
          \(home.path); folders use only those after them: \(folders.joined(separator: " > "))
          """
      }
    }
  }
}

struct FolderOrderTests {
  @Test(arguments: FolderOrder.all)
  func `no folder uses one above it`(order: FolderOrder) throws {
    let sources = try PackageFolder.swiftFiles(under: order.target)
    #expect(Set(sources.map { order.folder(of: $0.path) }) == Set(order.folders))
    let index = try CompilerIndex()
    let files = try sources.map { source in
      let file = try index.file(source.path, of: source.target)
      // A file that only imports declares nothing.
      let declares = source.lines.contains { $0.hasSuffix("{") }
      #expect(!declares || !file.declared.isEmpty, "the index has no symbols of \(file.path)")
      return file
    }
    #expect(files.count > 15)
    for reference in order.upwardReferences(in: files) { Issue.record("\(reference)") }
  }

  @Test func `the comparison finds an upward reference, and no other`() {
    let order = FolderOrder(target: "Sources/A/B", folders: [".", "Upper", "Lower"])
    let files = [
      IndexedFile(
        path: "Sources/A/B/Lower/One.swift", declared: ["one"],
        used: [("two", "two()", 7), ("one", "one", 8), ("Int", "Int", 9)]),
      IndexedFile(
        path: "Sources/A/B/Upper/Inner/Two.swift", declared: ["two"], used: [("one", "one", 3)]),
      IndexedFile(
        path: "Sources/A/B/Three.swift", declared: ["three"], used: [("two", "two()", 1)]),
    ]
    #expect(
      order.upwardReferences(in: files) == [
        "Sources/A/B/Lower/One.swift:7: Lower uses two(), which is declared in "
          + "Sources/A/B/Upper/Inner/Two.swift; folders use only those after them: "
          + ". > Upper > Lower"
      ])
  }
}
