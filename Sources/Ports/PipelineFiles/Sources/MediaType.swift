/// Media types (IANA registry) of files that users upload, by extension.
public enum MediaType {
  private static let types: [Substring: String] = {
    var types: [Substring: String] = [:]
    for line in String(decoding: PackageResources.types_txt, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      for word in words.dropFirst() { types[word] = String(words[0].dropLast()) }
    }
    return types
  }()

  /// The media type of a file called `name`; `nil` for an unknown extension, whose case does not matter.
  public static func guess(fromName name: String) -> String? {
    let bytes = name.utf8
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot != bytes.startIndex
    else { return nil }
    let suffix = name[name.utf8.index(after: dot)...]
    return types[suffix] ?? types[suffix.lowercased()[...]]
  }
}
