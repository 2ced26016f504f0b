/// Headers of requests that editors propose: those of standards, and those of the catalogue.
enum HeaderReference {
  /// A header of requests.
  struct Header: Sendable {
    let name, summary: String
    /// Usual values.
    var values: [String] = []
  }

  static let headers: [Header] = {
    let general = EmbeddedTexts.headers.flatMap { DescriptionList.entries($0.text) }.map { entry in
      let parts = entry.text.split(separator: " Values: ").map(String.init)
      let values = parts.dropFirst().flatMap { $0.split(separator: ", ") }
      return Header(
        name: entry.name, summary: parts[0],
        values: values.map { String($0.dropFirst().dropLast()) })
    }
    let names = Set(general.map { $0.name.lowercased() })
    return general + ofCatalogue.filter { !names.contains($0.name.lowercased()) }
  }()

  static func header(_ name: String) -> Header? {
    headers.first { $0.name.lowercased() == name.lowercased() }
  }
}
