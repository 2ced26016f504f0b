import Foundation
import Synchronization
import TestSupport

/// The Swift files of the package, as text.
struct SourceFile: Sendable {
  /// Path from the package's root.
  let path: String
  let lines: [Substring]

  /// Whether it belongs to the programs, which print, end the process, and export nothing.
  var isOfProgram: Bool { ["pipeline", "PipelineCommands"].contains(target) }

  /// `Sources/AREA/TARGET/…` results in TARGET.
  var target: String {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[2]) : ""
  }
}

/// The package's folder.
enum PackageFolder {
  static let root = Conformance.folder.deletingLastPathComponent().deletingLastPathComponent()

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// The Swift files under a top-level folder, by path.
  static func swiftFiles(under folder: String) throws -> [SourceFile] {
    if let known = files.withLock({ $0[folder] }) { return known }
    let found = try read(folder)
    files.withLock { $0[folder] = found }
    return found
  }

  /// The files that were read, by folder: many tests look at the same files.
  private static let files = Mutex<[String: [SourceFile]]>([:])

  private static func read(_ folder: String) throws -> [SourceFile] {
    let base = root.appending(path: folder)
    let paths =
      FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: base.appending(path: path), encoding: .utf8)
      return SourceFile(
        path: "\(folder)/\(path)",
        lines: text.split(separator: "\n", omittingEmptySubsequences: false))
    }
  }
}
