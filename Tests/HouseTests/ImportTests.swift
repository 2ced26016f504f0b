import Testing

/// Arrows point down only, and heavy dependencies stay in the outer targets (docs/ARCHITECTURE.md).
struct ImportTests {
  private static let system: Set<String> = [
    "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Synchronization", "Dispatch",
  ]
  private static let portable: Set<String> = [
    "Foundation", "FoundationEssentials", "Synchronization", "Dispatch",
  ]

  private static let allowed: [String: Set<String>] = [
    "CLibYAML": [],
    "Basics": [],
    "YAMLSyntax": ["CLibYAML"],
    // Standard C formats numbers the way CEL's `format` is specified.
    "CEL": ["Basics", "Glibc", "Darwin"],
    "JSONSchema": ["Basics"],
    "CELFunctions": ["Basics", "CEL", "Crypto"],
    "PipelineCore": ["Basics", "CEL"],
    "PipelineDocument": [
      "Basics", "PipelineCore", "YAMLSyntax", "JSONSchema", "CEL", "CELFunctions",
    ],
    "PipelineScenarios": [
      "Basics", "PipelineDocument", "PipelineCore", "YAMLSyntax", "CEL", "CELFunctions",
    ],
    "PipelineAuthoring": [
      "Basics", "PipelineScenarios", "PipelineDocument", "PipelineCore", "YAMLSyntax", "JSONSchema",
      "CEL", "CELFunctions",
    ],
    "PipelineEngine": ["Basics", "PipelineCore", "CEL", "Logging"],
    "PipelineSigning": [
      "Basics", "CEL", "CELFunctions", "PipelineCore", "PipelineEngine", "Crypto", "CryptoExtras",
    ],
    "PipelineConformance": ["Basics", "CEL", "PipelineCore", "PipelineEngine"],
    "PipelineLanguageServer": ["Basics", "PipelineAuthoring", "PipelineDocument"],
    "PipelineSimulator": [
      "Basics", "PipelineScenarios", "PipelineDocument", "PipelineEngine", "PipelineCore", "CEL",
      "CELFunctions", "PipelineSigning",
    ],
    "PipelineFiles": ["Basics", "PipelineCore", "PipelineEngine", "Crypto"],
    "PipelineHTTP": [
      "Basics", "PipelineCore", "PipelineEngine", "NIOCore", "NIOPosix", "NIOSOCKS", "NIOSSL",
      "NIOTLS",
    ],
    "PipelinePostgreSQL": ["Basics", "PipelineCore", "PipelineEngine"],
    "PipelineSQLite": ["Basics", "PipelineCore", "PipelineEngine", "GRDB"],
    "DemoServer": [
      "Basics", "HummingbirdCore", "HTTPTypes", "NIOCore", "NIOPosix", "NIOHTTP1", "Crypto",
      "Logging",
    ],
    "PipelineCommands": [
      "Basics", "ArgumentParser", "CEL", "JSONSchema", "PipelineAuthoring", "PipelineCore",
      "PipelineDocument", "YAMLSyntax",
      "PipelineFiles", "PipelineLanguageServer", "PipelineScenarios", "PipelineSimulator",
    ],
    "pipeline": ["PipelineCommands"],
    "pipeline-runner": [
      "Basics", "ArgumentParser", "CEL", "CELFunctions", "DemoServer", "PipelineCommands",
      "PipelineCore",
      "PipelineDocument", "PipelineEngine", "PipelineFiles", "PipelineHTTP", "PipelinePostgreSQL",
      "PipelineSigning", "PipelineSQLite", "YAMLSyntax",
    ],
  ]

  /// Targets that must build on Apple's systems as they are.
  private static let inner: Set<String> = [
    "Basics",
    "CEL", "JSONSchema", "YAMLSyntax", "CELFunctions", "PipelineCore", "PipelineDocument",
    "PipelineScenarios", "PipelineAuthoring", "PipelineEngine", "PipelineConformance",
    "PipelineLanguageServer", "PipelineSigning", "PipelineSimulator",
  ]

  static func imports(of file: SourceFile) -> [String] {
    file.lines.compactMap { line in
      let words = line.split(separator: " ").filter {
        !["public", "package", "internal", "private", "@testable", "@preconcurrency"].contains($0)
      }
      guard words.count >= 2, words[0] == "import" else { return nil }
      return String(words[words.count - 1].prefix { $0 != "." })
    }
  }

  @Test func `each target imports only what lies below it`() throws {
    let files = try PackageFolder.swiftFiles(under: "Sources")
    #expect(files.count > 100)
    for file in files {
      let allowed = try #require(
        Self.allowed[file.target], "\(file.path): no such target is planned")
      let system = Self.inner.contains(file.target) ? Self.portable : Self.system
      for name in Self.imports(of: file) where !allowed.contains(name) && !system.contains(name) {
        Issue.record("\(file.path) imports \(name)")
      }
    }
  }

  @Test func `every planned target exists`() throws {
    let targets = Set(try PackageFolder.swiftFiles(under: "Sources").map(\.target))
    #expect(targets.union(["CLibYAML"]) == Set(Self.allowed.keys))
  }
}
