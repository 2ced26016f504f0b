/// Reads tables of code points: lines such as `Latin=Latn: 41-5A 61-7A AA`.
package enum CodePointTable {
  package static func ranges(_ name: String, in text: String) -> [ClosedRange<UInt32>]? {
    for line in text.utf8.split(separator: 0x0A) {
      guard let colon = line.firstIndex(of: 0x3A),
        line[..<colon].split(separator: 0x3D).contains(where: { $0.elementsEqual(name.utf8) })
      else { continue }
      return line[line.index(after: colon)...].split(separator: 0x20).map { entry in
        let ends = entry.split(separator: 0x2D).map { number(String(Substring($0))) }
        return ends[0]...ends[ends.count - 1]
      }
    }
    return nil
  }

  private static func number(_ text: String) -> UInt32 { UInt32(text, radix: 16) ?? 0 }

  package static func contains(_ value: UInt32, in ranges: [ClosedRange<UInt32>]) -> Bool {
    let place = ranges.partitionPoint { $0.upperBound >= value }
    return place < ranges.count && ranges[place].contains(value)
  }
}

/// The code points of each script (property `Script`), Unicode 14.0: names, then ranges.
package enum ScriptTable {
  package static func ranges(_ name: String) -> [ClosedRange<UInt32>]? {
    CodePointTable.ranges(name, in: text)
  }

  package static func ranges(longName name: String) -> [ClosedRange<UInt32>]? {
    let isLong = text.utf8.split(separator: 0x0A).contains {
      $0.prefix { $0 != 0x3D && $0 != 0x3A }.elementsEqual(name.utf8)
    }
    return isLong ? ranges(name) : nil
  }

  private static let text = String(decoding: PackageResources.scripts_txt, as: UTF8.self)
}
