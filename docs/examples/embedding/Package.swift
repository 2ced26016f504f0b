// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "embedding",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Without traits neither the programs' packages nor those of HTTP are resolved. An app of your own
    // writes `.package(url: "https://github.com/…/pipeline", from: "…", traits: [])`.
    .package(name: "pipeline", path: "../../..", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "Embedding",
      dependencies: [
        .product(name: "PipelineRuntime", package: "pipeline"),
        .product(name: "PipelineDocument", package: "pipeline"),
        .product(name: "PipelineFiles", package: "pipeline"),
      ])
  ]
)
