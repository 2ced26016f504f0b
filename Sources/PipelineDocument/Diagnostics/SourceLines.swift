/// Splits texts into lines as YAML counts them: LF, CR LF or CR ends a line.
enum SourceLines {
  package static func split(_ text: String) -> [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { previous = scalar }
      if scalar == "\u{FEFF}", previous == nil { continue }
      if scalar == "\n", previous == "\r" { continue }
      if scalar == "\n" || scalar == "\r" {
        lines.append(String(line))
        line.removeAll()
      } else {
        line.append(scalar)
      }
    }
    lines.append(String(line))
    return lines
  }
}
