import Foundation
import Testing

/// The folders below `Sources` are the areas of the architecture; each has a page about what belongs there.
struct AreaTests {
  /// The dependencies that the targets of each area may have outside their own area.
  private static let below: [String: Set<String>] = [
    "Languages": [],
    "Engine": ["Languages"],
    "Document": ["Languages", "Engine"],
    "Ports": ["Languages", "Engine"],
    "Simulation": ["Languages", "Engine", "Document"],
    "Program": ["Languages", "Engine", "Document", "Ports", "Simulation"],
  ]

  @Test func `no target depends on an area above its own`() throws {
    var areas: [String: (area: String, dependencies: Set<String>)] = [:]
    for target in try ManifestTarget.all() {
      let parts = target.path.split(separator: "/")
      guard parts.count == 3, parts[0] == "Sources" else { continue }
      areas[target.name] = (String(parts[1]), target.dependencies)
    }
    #expect(areas.count > 20)
    for (name, target) in areas {
      let below = try #require(Self.below[target.area], "\(name) is in no area")
      for dependency in target.dependencies {
        guard let other = areas[dependency]?.area else { continue }
        #expect(other == target.area || below.contains(other), "\(name) depends on \(dependency)")
      }
    }
  }

  @Test func `each area has a page of a few lines, and contains targets only`() throws {
    let sources = PackageFolder.root.appending(path: "Sources").path
    let areas = try FileManager.default.contentsOfDirectory(atPath: sources)
    #expect(areas.sorted() == Self.below.keys.sorted())
    for area in Self.below.keys {
      let page = try PackageFolder.text("Sources/\(area)/README.md")
      #expect(page.split(separator: "\n").count <= 12, "\(area)")
      for words in ["**May depend on**", "**Start reading**"] {
        #expect(page.contains(words), "\(area)")
      }
    }
  }
}
