/// The code points of each script (property `Script`), Unicode 14.0: names, then ranges.
package enum ScriptTable {
  /// The ranges of a script by its long or short name.
  package static func ranges(_ name: String) -> [ClosedRange<UInt32>]? {
    CodePointTable.ranges(name, in: text)
  }

  /// The ranges of a script by its long name alone.
  package static func ranges(longName name: String) -> [ClosedRange<UInt32>]? {
    let isLong = text.utf8.split(separator: 0x0A).contains {
      $0.prefix { $0 != 0x3D && $0 != 0x3A }.elementsEqual(name.utf8)
    }
    return isLong ? ranges(name) : nil
  }

  private static let text = String(decoding: PackageResources.scripts_txt, as: UTF8.self)
}
