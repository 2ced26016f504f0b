import Foundation
import PackagePlugin

/// Compiles the texts of other folders into a target, because a program has no folder of files next to it.
@main struct EmbedTexts: BuildToolPlugin {
  /// The texts that a target embeds as the member `name` of `EmbeddedTexts`.
  private struct Group {
    let name: String
    let folder: String
    /// The end of each file's name; it is not part of the text's name.
    let suffix: String
  }

  private static let groups: [String: [Group]] = [
    "PipelineDocument": [
      Group(
        name: "checks", folder: "Sources/Document/PipelineDocument/Checks/Pages", suffix: ".md"),
      Group(
        name: "examples", folder: "Sources/Document/PipelineDocument/Grammar",
        suffix: "examples.json"),
      Group(name: "names", folder: "Sources/Document/PipelineDocument/Rules/Names", suffix: ".txt"),
    ],
    "PipelineAuthoring": [
      Group(name: "catalogue", folder: "Pipelines/catalogue", suffix: ".yaml"),
      Group(
        name: "functions", folder: "Sources/Document/PipelineAuthoring/Analysis/Texts",
        suffix: "functions.md"),
      Group(
        name: "headers", folder: "Sources/Document/PipelineAuthoring/Analysis/Texts",
        suffix: "headers.md"),
      Group(
        name: "macros", folder: "Sources/Document/PipelineAuthoring/Analysis/Texts",
        suffix: "macros.md"),
      Group(
        name: "reference", folder: "Sources/Document/PipelineAuthoring/Reference",
        suffix: "language.md"),
      Group(
        name: "grammar", folder: "Sources/Document/PipelineAuthoring/Reference/Texts", suffix: ".md"
      ),
      Group(
        name: "scalars", folder: "Sources/Document/PipelineAuthoring/Reference",
        suffix: "scalars.txt"),
      Group(
        name: "values", folder: "Sources/Document/PipelineAuthoring/Reference", suffix: "values.md"),
      Group(
        name: "templates", folder: "Sources/Document/PipelineAuthoring/Templates", suffix: ".yaml"),
    ],
    "PipelineView": [
      Group(name: "documents", folder: "Sources/Program/PipelineView/Page", suffix: ".html"),
      Group(name: "styles", folder: "Sources/Program/PipelineView/Page", suffix: ".css"),
      Group(name: "scripts", folder: "Sources/Program/PipelineView/Page", suffix: ".js"),
    ],
    "PipelineCommands": [
      Group(name: "help", folder: "Sources/Program/PipelineCommands/Commands/Help", suffix: ".txt")
    ],
    "PipelineSimulator": [
      Group(name: "scenarios", folder: "Pipelines/scenarios", suffix: ".yaml"),
      // `pipeline schema` makes all other schemas from the tables that readers and writers use.
      Group(name: "simulationReport", folder: "Schemas", suffix: "simulation-report.schema.json"),
      Group(name: "verification", folder: "Schemas", suffix: "verification.schema.json"),
    ],
  ]

  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedTexts.swift")
    var arguments = [output.path]
    var inputs: [URL] = []
    for group in Self.groups[target.name] ?? [] {
      let folder = context.package.directoryURL.appending(path: group.folder)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { $0.hasSuffix(group.suffix) && !$0.hasSuffix(".test.yaml") }.sorted()
        .map { folder.appending(path: $0) }
      arguments += ["--group", group.name] + files.map(\.path)
      inputs += files
    }
    return [
      .buildCommand(
        displayName: "Embedding \(inputs.count) texts in \(target.name)",
        executable: try context.tool(named: "embed-texts").url, arguments: arguments,
        inputFiles: inputs, outputFiles: [output])
    ]
  }
}
