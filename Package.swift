// swift-tools-version: 6.2
import PackageDescription

let programs: TargetDependencyCondition? = .when(traits: ["Programs"])
let http: TargetDependencyCondition? = .when(traits: ["HTTP", "Programs"])

// On Linux it would name the system's folder of libraries before those that `make release` links in.
#if os(Linux)
  let usesPkgConfig = false
#else
  let usesPkgConfig = true
#endif

let package = Package(
  name: "pipeline",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    // What an app embeds: the runtime, and what reads pipelines from YAML.
    .library(name: "PipelineRuntime", targets: ["PipelineCore", "PipelineEngine"]),
    .library(name: "PipelineDocument", targets: ["PipelineDocument"]),
    .library(name: "PipelineScenarios", targets: ["PipelineScenarios"]),
    .library(name: "PipelineAuthoring", targets: ["PipelineAuthoring"]),
    .library(name: "PipelineLanguageServer", targets: ["PipelineLanguageServer"]),
    .library(name: "PipelineReports", targets: ["PipelineReports"]),
    // Ports for those who have none of their own.
    .library(name: "PipelineFiles", targets: ["PipelineFiles"]),
    .library(name: "PipelineHTTP", targets: ["PipelineHTTP"]),
    .library(name: "PipelineSQLite", targets: ["PipelineSQLite"]),
    .library(name: "PipelinePostgreSQL", targets: ["PipelinePostgreSQL"]),
    .library(name: "PipelineSigning", targets: ["PipelineSigning"]),
    .library(name: "PipelineSimulator", targets: ["PipelineSimulator"]),
    // What a port of your own must pass.
    .library(name: "PipelineConformance", targets: ["PipelineConformance"]),
    .library(name: "CEL", targets: ["CEL"]),
    .library(name: "JSONSchema", targets: ["JSONSchema"]),
    .library(name: "YAMLSyntax", targets: ["YAMLSyntax"]),
    .executable(name: "pipeline", targets: ["pipeline"]),
  ],
  // All of them, so that `swift build` makes everything. Who embeds the engine names those that are wanted, and resolves no other's packages.
  traits: [
    // `Programs` includes the other. SwiftPM passes the names of several to the compiler in an order that changes from one
    // call to the next, and then everything is compiled again.
    .default(enabledTraits: ["Programs"]),
    .trait(
      name: "Programs", description: "Everything: the programs, the demo server, and all tests."),
    .trait(name: "HTTP", description: "PipelineHTTP: requests and transfers with SwiftNIO."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.20.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
  ],
  targets: [
    .systemLibrary(
      name: "CLibYAML", path: "Sources/Languages/CLibYAML",
      pkgConfig: usesPkgConfig ? "yaml-0.1" : nil,
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]
    ),
    .systemLibrary(
      name: "CSQLite", path: "Sources/Ports/CSQLite", pkgConfig: usesPkgConfig ? "sqlite3" : nil,
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]
    ),
    .systemLibrary(
      name: "CZlib", path: "Sources/Ports/CZlib", pkgConfig: usesPkgConfig ? "zlib" : nil,
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),

    // Embeds texts of other folders, such as the catalogue.
    .executableTarget(name: "embed-texts", path: "Plugins/embed-texts"),
    .plugin(name: "EmbedTexts", capability: .buildTool(), dependencies: ["embed-texts"]),

    // What every other target may need, from the standard library alone.
    // In the program itself and not in a bundle: it is one file.
    .target(
      name: "Basics", path: "Sources/Languages/Basics",
      resources: [
        .embedInCode("RegularExpression/scripts.txt"),
        .embedInCode("RegularExpression/categories.txt"),
      ]),

    // Languages: they know nothing of pipelines.
    .target(
      name: "YAMLSyntax", dependencies: ["Basics", "CLibYAML"],
      path: "Sources/Languages/YAMLSyntax",
      resources: [.embedInCode("Events/phrases.json")]),
    .target(name: "CEL", dependencies: ["Basics"], path: "Sources/Languages/CEL"),
    .target(
      name: "JSONSchema", dependencies: ["Basics"], path: "Sources/Languages/JSONSchema",
      resources: [
        .embedInCode("Resolution/MetaSchemas/schema.json"),
        .embedInCode("Resolution/MetaSchemas/core.json"),
        .embedInCode("Resolution/MetaSchemas/applicator.json"),
        .embedInCode("Resolution/MetaSchemas/unevaluated.json"),
        .embedInCode("Resolution/MetaSchemas/validation.json"),
        .embedInCode("Resolution/MetaSchemas/meta-data.json"),
        .embedInCode("Resolution/MetaSchemas/format-annotation.json"),
        .embedInCode("Resolution/MetaSchemas/format-assertion.json"),
        .embedInCode("Resolution/MetaSchemas/content.json"),
        .embedInCode("Resolution/MetaSchemas/draft-04.json"),
        .embedInCode("Resolution/MetaSchemas/draft-06.json"),
        .embedInCode("Resolution/MetaSchemas/draft-07.json"),
        .embedInCode("Formats/bidirectional.txt"), .embedInCode("Formats/joining.txt"),
        .embedInCode("Formats/formats.txt"),
      ]),
    .target(
      name: "CELFunctions",
      dependencies: ["Basics", "CEL", .product(name: "Crypto", package: "swift-crypto")],
      path: "Sources/Languages/CELFunctions"
    ),

    // Values only: the model, the machine, the ledgers.
    .target(
      name: "PipelineCore", dependencies: ["Basics", "CEL"], path: "Sources/Engine/PipelineCore"),
    .target(
      name: "PipelineDocument",
      dependencies: ["Basics", "PipelineCore", "YAMLSyntax", "CEL", "CELFunctions"],
      path: "Sources/Document/PipelineDocument",
      exclude: ["Checks/Pages", "Grammar/examples.json", "Rules/Names"], plugins: ["EmbedTexts"]),
    // Documents beside pipelines: scenarios, and tests of pipelines.
    .target(
      name: "PipelineScenarios",
      dependencies: [
        "PipelineDocument", "PipelineCore", "YAMLSyntax", "CEL", "CELFunctions",
      ], path: "Sources/Document/PipelineScenarios"),
    // What helps to write documents: completion, hover, renaming, templates, the language's reference and schema.
    .target(
      name: "PipelineAuthoring",
      dependencies: [
        "Basics", "PipelineScenarios", "PipelineDocument", "PipelineCore", "YAMLSyntax", "CEL",
      ], path: "Sources/Document/PipelineAuthoring",
      exclude: [
        "Analysis/Texts", "Reference/Texts", "Reference/language.md", "Reference/values.md",
        "Reference/scalars.txt", "Templates",
      ],
      plugins: ["EmbedTexts"]),
    .target(
      name: "PipelineEngine",
      dependencies: [
        "Basics", "PipelineCore", "CEL", .product(name: "Logging", package: "swift-log"),
      ], path: "Sources/Engine/PipelineEngine"),

    // Signatures of requests, for real runs and for simulations.
    .target(
      name: "PipelineSigning",
      dependencies: [
        "Basics", "PipelineEngine", "PipelineCore", "CEL", "CELFunctions",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], path: "Sources/Engine/PipelineSigning"),

    // The contracts of ports as checks, for tests in any framework.
    .target(
      name: "PipelineConformance",
      dependencies: ["Basics", "PipelineEngine", "PipelineCore", "CEL"],
      path: "Sources/Engine/PipelineConformance"),

    // What editors ask, without input or output of its own.
    .target(
      name: "PipelineLanguageServer",
      dependencies: ["Basics", "CEL", "PipelineAuthoring", "PipelineDocument"],
      path: "Sources/Document/PipelineLanguageServer"),

    // Every port in virtual time; no clock, no chance, no network.
    .target(
      name: "PipelineSimulator",
      dependencies: [
        "Basics",
        "PipelineScenarios", "PipelineDocument", "PipelineSigning", "PipelineEngine",
        "PipelineCore", "CEL", "CELFunctions",
      ], path: "Sources/Simulation/PipelineSimulator",
      resources: [
        .embedInCode("Report/Page/page.css"), .embedInCode("Report/Page/page.js"),
        .embedInCode("Report/causes.json"), .embedInCode("Report/Page/timeline.js"),
        .embedInCode("Report/Page/timeline.html"), .embedInCode("Report/Page/document.html"),
        .embedInCode("Report/JSON/trace.txt"),
        .embedInCode("Verification/certificate.css"),
      ], plugins: ["EmbedTexts"]),

    // Ports that touch the world; heavy dependencies stop here.
    .target(name: "Platform", path: "Sources/Ports/Platform"),
    .target(
      name: "PipelineFiles",
      dependencies: [
        "Basics", "PipelineEngine", "PipelineCore", "Platform",
        .product(name: "Crypto", package: "swift-crypto"),
      ], path: "Sources/Ports/PipelineFiles", resources: [.embedInCode("Sources/types.txt")]),
    .target(
      name: "PipelineHTTP",
      dependencies: [
        "Basics", "PipelineEngine", "PipelineCore", "Platform", "CZlib",
        .product(name: "NIOCore", package: "swift-nio", condition: http),
        .product(name: "NIOPosix", package: "swift-nio", condition: http),
        .product(name: "NIOSOCKS", package: "swift-nio-extras", condition: http),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: http),
        .product(name: "NIOTLS", package: "swift-nio", condition: http),
      ], path: "Sources/Ports/PipelineHTTP"),
    .target(
      name: "PipelineSQLite",
      dependencies: ["Basics", "PipelineEngine", "PipelineCore", "CSQLite"],
      path: "Sources/Ports/PipelineSQLite",
      resources: [.embedInCode("Schema/version-1.sql"), .embedInCode("Schema/statements.sql")]),
    // PostgreSQL's client library is loaded when it is needed, so that nothing has to be installed to build it.
    .target(
      name: "PipelinePostgreSQL", dependencies: ["Basics", "PipelineEngine", "PipelineCore"],
      path: "Sources/Ports/PipelinePostgreSQL",
      resources: [
        .embedInCode("Schema/version-1.sql"), .embedInCode("Schema/commit-batch.sql"),
        .embedInCode("Schema/statements.sql"),
      ]),
    .target(
      name: "DemoServer",
      dependencies: [
        "Basics", "Platform",
        .product(name: "HummingbirdCore", package: "hummingbird", condition: programs),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: programs),
        .product(name: "NIOCore", package: "swift-nio", condition: http),
        .product(name: "NIOPosix", package: "swift-nio", condition: http),
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ], path: "Sources/Program/DemoServer", exclude: ["README.md"]),
    .target(
      name: "PipelineView",
      dependencies: [
        "Basics", "CEL", "Platform",
        .product(name: "HummingbirdCore", package: "hummingbird", condition: programs),
        .product(name: "HTTPTypes", package: "swift-http-types", condition: programs),
        .product(name: "NIOCore", package: "swift-nio", condition: http),
        .product(name: "NIOPosix", package: "swift-nio", condition: http),
        .product(name: "Logging", package: "swift-log"),
      ], path: "Sources/Program/PipelineView", exclude: ["Page"], plugins: ["EmbedTexts"]),
    // What commands, pages and apps show of a run: values, and their JSON.
    .target(
      name: "PipelineReports", dependencies: ["Basics", "CEL", "PipelineCore", "PipelineEngine"],
      path: "Sources/Program/PipelineReports"),
    // The program, and those of its commands that work on no run.
    .target(
      name: "PipelineCommands",
      dependencies: [
        "Basics", "DemoServer", "PipelineAuthoring", "PipelineScenarios", "CEL", "YAMLSyntax",
        "JSONSchema", "PipelineCore", "PipelineDocument", "PipelineFiles",
        "PipelineLanguageServer", "PipelineReports", "PipelineSimulator",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs),
      ], path: "Sources/Program/PipelineCommands", exclude: ["Commands/Help"],
      plugins: ["EmbedTexts"]),
    .executableTarget(
      name: "pipeline",
      dependencies: [
        "Basics", "CEL", "CELFunctions", "PipelineCommands", "PipelineCore", "PipelineDocument",
        "PipelineEngine", "PipelineFiles", "PipelineHTTP", "PipelinePostgreSQL", "PipelineReports",
        "PipelineSigning", "PipelineSQLite", "PipelineView", "DemoServer", "YAMLSyntax",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs),
      ], path: "Sources/Program/pipeline"),

    .executableTarget(
      name: "pipeline-benchmarks",
      dependencies: [
        "CEL", "PipelineCore", "PipelineDocument", "PipelineEngine", "PipelineFiles",
        "PipelineHTTP", "PipelineLanguageServer", "PipelinePostgreSQL", "PipelineSQLite",
        .product(name: "NIOPosix", package: "swift-nio", condition: http),
      ], path: "Tests/Benchmarks/Sources"),
    .target(
      name: "Swarm",
      dependencies: [
        "PipelineScenarios",
        "Basics",
        "PipelineAuthoring", "PipelinePostgreSQL",
        "PipelineSimulator", "PipelineDocument", "PipelineEngine", "PipelineCore", "CEL",
        "HistorySupport",
      ],
      path: "Tests/Swarm/Sources"),
    .executableTarget(
      name: "pipeline-swarm",
      dependencies: [
        "Swarm", "PipelineCore",
        .product(name: "ArgumentParser", package: "swift-argument-parser", condition: programs),
      ], path: "Tests/Swarm/Program"),
    .testTarget(name: "SwarmTests", dependencies: ["Swarm", "TestSupport"]),
    .target(name: "TestSupport", path: "Tests/TestSupport"),
    .target(
      name: "StoreSupport", dependencies: ["PipelineSQLite"], path: "Tests/Ports/StoreSupport"),
    .target(
      name: "HistorySupport", dependencies: ["PipelineEngine", "PipelineCore", "CEL"],
      path: "Tests/Engine/HistorySupport"),
    .target(
      name: "MachineSupport", dependencies: ["Basics", "PipelineCore", "CEL"],
      path: "Tests/Engine/MachineSupport"),
    .testTarget(name: "BasicsTests", dependencies: ["Basics"], path: "Tests/Languages/BasicsTests"),
    .testTarget(
      name: "YAMLSyntaxTests", dependencies: ["Basics", "YAMLSyntax", "TestSupport"],
      path: "Tests/Languages/YAMLSyntaxTests"),
    .testTarget(
      name: "CELTests", dependencies: ["Basics", "CEL", "TestSupport"],
      path: "Tests/Languages/CELTests"),
    .testTarget(
      name: "CELFunctionsTests", dependencies: ["CELFunctions", "CEL", "TestSupport"],
      path: "Tests/Languages/CELFunctionsTests"),
    .testTarget(
      name: "JSONSchemaTests", dependencies: ["Basics", "JSONSchema", "TestSupport"],
      path: "Tests/Languages/JSONSchemaTests"),
    .testTarget(
      name: "PipelineCoreTests",
      dependencies: ["Basics", "PipelineCore", "CEL", "MachineSupport"],
      path: "Tests/Engine/PipelineCoreTests",
      exclude: ["Transcripts"]),
    .testTarget(
      name: "PipelineDocumentTests",
      dependencies: [
        "Basics",
        "PipelineAuthoring", "PipelineScenarios",
        "PipelineDocument", "PipelineCore", "PipelineEngine", "PipelineSimulator", "YAMLSyntax",
        "CEL", "JSONSchema", "TestSupport",
      ], path: "Tests/Document/PipelineDocumentTests", exclude: ["Fixtures", "Mistakes/Files"]),
    .testTarget(
      name: "PipelineAuthoringTests",
      dependencies: [
        "Basics", "PipelineAuthoring", "PipelineDocument", "PipelineScenarios", "PipelineCore",
        "YAMLSyntax", "CEL", "JSONSchema", "TestSupport",
      ], path: "Tests/Document/PipelineAuthoringTests"),
    .testTarget(
      name: "PipelineLanguageServerTests",
      dependencies: ["CEL", "PipelineLanguageServer", "PipelineDocument", "TestSupport"],
      path: "Tests/Document/PipelineLanguageServerTests"),
    .testTarget(
      name: "PipelineEngineTests",
      dependencies: [
        "Basics",
        "PipelineScenarios",
        "PipelineEngine", "PipelineSimulator", "PipelineDocument", "PipelineCore", "CEL",
      ], path: "Tests/Engine/PipelineEngineTests"),
    .testTarget(
      name: "PipelineSimulatorTests",
      dependencies: [
        "Basics",
        "PipelineAuthoring", "PipelineScenarios",
        "PipelineSimulator", "PipelineEngine", "PipelineDocument", "PipelineCore", "CEL",
        "JSONSchema", "TestSupport", "YAMLSyntax", "HistorySupport",
      ], path: "Tests/Simulation/PipelineSimulatorTests"),
    .testTarget(
      name: "StoreTests",
      dependencies: [
        "Basics", "PipelineConformance", "PipelineSQLite", "PipelinePostgreSQL", "PipelineFiles",
        "PipelineEngine", "PipelineCore", "CEL", "StoreSupport", "TestSupport",
      ], path: "Tests/Ports/StoreTests", exclude: ["Golden"]),
    .testTarget(
      name: "PostgreSQLTests",
      dependencies: [
        "PipelineConformance", "PipelinePostgreSQL", "PipelineEngine", "PipelineCore",
      ], path: "Tests/Ports/PostgreSQLTests"),
    .testTarget(
      name: "PipelineSigningTests",
      dependencies: [
        "Basics", "PipelineSigning", "PipelineEngine", "PipelineCore", "CEL",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
      ], path: "Tests/Engine/PipelineSigningTests"),
    .testTarget(
      name: "PipelineFilesTests",
      dependencies: ["PipelineFiles", "PipelineEngine", "PipelineCore"],
      path: "Tests/Ports/PipelineFilesTests"),
    .testTarget(
      name: "PipelineHTTPTests",
      dependencies: [
        "PipelineHTTP", "PipelineEngine", "PipelineCore", "TestSupport",
        .product(name: "NIOCore", package: "swift-nio", condition: http),
        .product(name: "NIOEmbedded", package: "swift-nio", condition: http),
        .product(name: "NIOPosix", package: "swift-nio", condition: http),
        .product(name: "NIOSSL", package: "swift-nio-ssl", condition: http),
      ], path: "Tests/Ports/PipelineHTTPTests"),
    .testTarget(
      name: "DemoServerTests",
      dependencies: [
        "DemoServer", "TestSupport",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "NIOCore", package: "swift-nio", condition: http),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: http),
      ], path: "Tests/Program/DemoServerTests"),
    .testTarget(
      name: "PipelineReportsTests",
      dependencies: [
        "PipelineReports", "PipelineDocument", "PipelineEngine", "PipelineCore", "CEL",
      ],
      path: "Tests/Program/PipelineReportsTests"),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Basics",
        "JSONSchema", "PipelineCommands", "PipelineCore", "PipelineDocument", "StoreSupport",
        "TestSupport",
      ], path: "Tests/Program/CommandTests",
      exclude: ["Scripts", "Schemas/unseen.txt", "StoredStates/pipelines"]),
    .testTarget(name: "HouseTests", dependencies: ["TestSupport"]),
  ],
  swiftLanguageModes: [.v6]
)

// `make test ONLY=Suite` plans one test target with what it needs, which compiles and links in seconds.
if let only = Context.environment["PIPELINE_ONLY"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  // These tests run the program.
  var wanted = only == "CommandTests" ? [only, "pipeline"] : [only]
  var index = 0
  while index < wanted.count {
    let target = targets[wanted[index]]
    for dependency in target?.dependencies ?? [] {
      if case .byNameItem(let name, _) = dependency { wanted.append(name) }
    }
    for plugin in target?.plugins ?? [] {
      if case .plugin(let name, _) = plugin { wanted.append(name) }
    }
    index += 1
  }
  package.targets.removeAll { !wanted.contains($0.name) }
  package.products = []
}

for target in package.targets where ![.system, .plugin].contains(target.type) {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]
}
