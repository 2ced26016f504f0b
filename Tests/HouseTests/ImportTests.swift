import Foundation
import Testing

/// A target of `Package.swift`: which modules it may import.
struct ManifestTarget {
  let name: String
  /// The folder with its files, from the package's root.
  let path: String
  /// Names of targets and products.
  let dependencies: Set<String>

  /// Every target in the manifest's own notation, so that there is no second list of them.
  static func all() throws -> [ManifestTarget] {
    let manifest = try PackageFolder.text("Package.swift")
    let list = try #require(manifest.firstRange(of: "  targets: [\n"))
    let text = manifest[list.upperBound...]
    // Each declaration starts with its kind in a line of its own, indented by four spaces.
    let starts = text.ranges(
      of: /\n    \.(target|testTarget|executableTarget|systemLibrary|plugin)\(/)
    return try zip(starts, starts.dropFirst().map(\.lowerBound) + [text.endIndex]).map {
      start, end in
      let declaration = text[start.lowerBound..<end]
      let name = try #require(declaration.firstMatch(of: /name: "([^"]+)"/)).1
      let isTest = text[start].contains("testTarget")
      let path = declaration.firstMatch(of: /path: "([^"]+)"/)?.1
      var dependencies = Set<String>()
      if let open = declaration.firstRange(of: "dependencies: [") {
        dependencies = Self.names(in: declaration[open.upperBound...])
      }
      return ManifestTarget(
        name: String(name),
        path: path.map(String.init) ?? "\(isTest ? "Tests" : "Sources")/\(name)",
        dependencies: dependencies)
    }
  }

  /// The names up to the bracket that closes the list; of a product, its own and not its package's.
  private static func names(in text: Substring) -> Set<String> {
    var depth = 1
    let end = text.firstIndex { character in
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      return depth == 0
    }
    let list = text[..<(end ?? text.endIndex)]
      .replacing(/package: "[^"]+"/, with: "").replacing(/traits: \[[^\]]*\]/, with: "")
    return Set(list.matches(of: /"([^"]+)"/).map { String($0.1) })
  }
}

/// `Package.swift` is the only list of the imports of each target.
struct ImportTests {
  private static let system: Set<String> = [
    "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Glibc", "Musl",
    "Darwin",
    "Synchronization", "Dispatch", "Testing",
  ]

  /// Targets that must build on Apple's systems as they are, without calls of one system's C library.
  private static let portable: Set<String> = [
    "Basics", "JSONSchema", "YAMLSyntax", "CELFunctions", "PipelineCore", "PipelineDocument",
    "PipelineScenarios", "PipelineAuthoring", "PipelineEngine", "PipelineConformance",
    "PipelineLanguageServer", "PipelineReports", "PipelineSigning", "PipelineSimulator",
  ]

  static func imports(of file: SourceFile) -> [String] {
    file.lines.compactMap { line in
      let words = line.split(separator: " ").filter {
        ![
          "public", "package", "internal", "private", "@testable", "@preconcurrency", "@_exported",
        ].contains($0)
      }
      guard words.count >= 2, words[0] == "import" else { return nil }
      // Modules have capital letters; programs in other languages, quoted in tests, do not.
      let name = words[words.count - 1].prefix { $0 != "." }
      return name.first?.isUppercase == true ? String(name) : nil
    }
  }

  /// Each target with the files in its folder that do not belong to a target in a folder below.
  private static func targets() throws -> [(target: ManifestTarget, files: [SourceFile])] {
    let targets = try ManifestTarget.all()
    let files = try ["Sources", "Tests", "Plugins"].flatMap(PackageFolder.swiftFiles)
    return targets.map { target in
      let inner = targets.map(\.path).filter { $0.hasPrefix(target.path + "/") }
      return (
        target,
        files.filter { file in
          file.path.hasPrefix(target.path + "/")
            && !inner.contains { file.path.hasPrefix($0 + "/") }
        }
      )
    }
  }

  @Test func `each target imports exactly its declared dependencies`() throws {
    let targets = try Self.targets()
    #expect(targets.count > 30)
    for (target, files) in targets where !files.isEmpty {
      let imported = Set(files.flatMap(Self.imports))
      // A test may run a program that it cannot import, and a plugin its tool.
      let programs = Set(
        targets.map(\.target.name).filter { $0 != "PipelineCommands" && $0.first!.isLowercase })
      let undeclared = imported.subtracting(target.dependencies).subtracting(Self.system)
        .subtracting([target.name, "PackagePlugin", "PackageDescription", "XCTest"])
      #expect(undeclared.isEmpty, "\(target.name) imports what it does not declare")
      let unused = target.dependencies.subtracting(imported).subtracting(programs)
        .filter { dependency in
          !targets.contains { $0.target.name == dependency && $0.files.isEmpty }
        }
      #expect(unused.isEmpty, "\(target.name) declares what it does not import")
    }
  }

  /// All of Foundation brings 34 MB of data about languages and calendars into the program.
  @Test func `the program imports all of Foundation only where its essentials do not exist`() throws
  {
    let files = try PackageFolder.swiftFiles(under: "Sources").filter {
      Self.imports(of: $0).contains("Foundation")
    }
    #expect(files.count > 2)
    for file in files {
      #expect(
        file.lines.contains { $0.contains("canImport(FoundationEssentials)") }, "\(file.path)")
    }
  }

  @Test func `portable targets import nothing of one system`() throws {
    for (target, files) in try Self.targets() where Self.portable.contains(target.name) {
      let foreign = Set(files.flatMap(Self.imports)).intersection(["Glibc", "Musl", "Darwin"])
      #expect(foreign.isEmpty, "\(target.name)")
    }
  }
}
