import YAMLSyntax

struct OverrideTree {
  struct ValuePlace {
    package let path: [String]
    package let node: YAMLNode
  }

  /// Keys of loops that can be written alone if there is only one loop.
  static let keysOfLoops: Set<String> = ["concurrency", "batch"]
  /// No pipeline written by a person is larger than this.
  private static let limit = 100_000

  package let root: YAMLNode
  private(set) var places: [ValuePlace] = []
  private var loops: [YAMLNode] = []

  init(_ root: YAMLNode) {
    self.root = root
    visit(root, [])
  }

  var onlyLoop: YAMLNode? { loops.count == 1 ? loops[0] : nil }

  package func places(endingWith path: [String]) -> [ValuePlace] {
    var seen: Set<ObjectIdentifier> = []
    return places.filter { place in
      place.path.count >= path.count && place.path.suffix(path.count).elementsEqual(path)
        && seen.insert(ObjectIdentifier(place.node)).inserted
    }
  }

  private mutating func visit(_ node: YAMLNode, _ path: [String]) {
    // A value repeated by an alias is located at its anchor.
    if case .alias = node.content { return }
    guard places.count < Self.limit else { return }
    if let entries = node.mapping {
      if node["for_each"] != nil { loops.append(node) }
      for entry in entries {
        guard let name = entry.name else { continue }
        places.append(ValuePlace(path: path + [name], node: entry.value))
        visit(entry.value, path + [name])
      }
    } else if let elements = node.sequence {
      for (index, element) in elements.enumerated() {
        for name in Self.names(of: element, at: index) {
          places.append(ValuePlace(path: path + [name], node: element))
          visit(element, path + [name])
          // Names of lists in between may be omitted: `photo.upload` is `steps.photo.steps.upload`.
          if let list = path.last, list == "steps", path.count > 1 {
            let short = Array(path.dropLast()) + [name]
            places.append(ValuePlace(path: short, node: element))
            visit(element, short)
          }
        }
      }
    }
  }

  private static func names(of element: YAMLNode, at index: Int) -> [String] {
    for key in ["id", "for_each", "name"] {
      if let name = element[key]?.string { return [name] }
    }
    return ["\(index)"]
  }

  package func nearest(to key: String, _ path: [String]) -> String? {
    let paths = places.map { $0.path.joined(separator: ".") }
    if let near = nearestName(to: key, among: paths) { return near }
    guard let last = path.last else { return nil }
    var keys: [String] = []
    for place in places {
      if let name = place.path.last, !keys.contains(name) { keys.append(name) }
    }
    return nearestName(to: last, among: keys)
  }
}
