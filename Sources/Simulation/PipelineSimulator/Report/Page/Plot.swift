/// A diagram with axes, rendered as static SVG.
struct Plot {
  enum CurveStyle { case line, steps, bars, points }

  struct Curve {
    let name: String
    let points: [(x: Double, y: Double)]
    let color: String
    var form = CurveStyle.line
  }

  let title: String
  var note = ""
  let curves: [Curve]
  let writeX: (Double) -> String
  let writeY: (Double) -> String
  /// Labels at whole numbers of x, for categories.
  var names: [String]?
  var top = 0.0
  var legend = true
  /// The end of the x axis, unless it is the last point.
  var end: Double?
  private static let width = 400.0
  private static let height = 210.0
  private static let left = 62.0
  private static let right = 14.0
  private static let bottom = 26.0
  private static let above = 8.0
  private static let room = width - left - right
  private static let base = height - bottom

  private var maxX: Double {
    if let names { return Double(max(names.count - 1, 1)) }
    return max(end ?? curves.flatMap { $0.points.map(\.x) }.max() ?? 1, 1e-9)
  }
  private var maxY: Double { max(curves.flatMap { $0.points.map(\.y) }.max() ?? 1, top, 1e-9) }

  func render() -> String {
    var svg = ""
    let yStep = Self.step(maxY, writeY)
    let ceiling = (maxY / yStep).rounded(.up) * yStep
    for index in 0...Int((ceiling / yStep).rounded()) {
      let y = self.y(Double(index) * yStep, ceiling)
      svg += Self.horizontal("grid", at: y)
      svg += "<text class=\"dim\" x=\"\(Self.left - 5)\" y=\"\(Self.n(y + 4))\" "
      svg += "text-anchor=\"end\">\(Page.escaped(writeY(Double(index) * yStep)))</text>"
    }
    svg += xAxis()
    for curve in curves { svg += path(curve, ceiling) }
    svg += Self.horizontal("axis", at: Self.base)
    let small = note.isEmpty ? "" : " <small>\(Page.escaped(note))</small>"
    var text = "<figure><figcaption>\(Page.escaped(title))\(small)</figcaption>"
    text += "<svg class=\"plot\" viewBox=\"0 0 \(Int(Self.width)) \(Int(Self.height))\" "
    text += "width=\"100%\" role=\"img\" aria-label=\"\(Page.escaped(title))\">\(svg)</svg>"
    if legend, curves.count > 1 {
      text += "<div class=\"legend\" style=\"padding-left:0\">"
      for curve in curves.prefix(16) {
        text += "<span style=\"--c:\(curve.color)\">\(Page.escaped(curve.name))</span>"
      }
      text += "</div>"
    }
    return text + "</figure>\n"
  }

  private static func horizontal(_ kind: String, at y: Double) -> String {
    "<line class=\"\(kind)\" x1=\"\(left)\" x2=\"\(width - right)\" y1=\"\(n(y))\" y2=\"\(n(y))\"/>"
  }

  private func xAxis() -> String {
    var svg = ""
    func label(_ x: Double, _ text: String, _ anchor: String) {
      svg += "<text class=\"dim\" x=\"\(Self.n(x))\" y=\"\(Self.n(Self.height - 9))\" "
      svg += "text-anchor=\"\(anchor)\">\(Page.escaped(text))</text>"
    }
    if let names {
      let room = Self.room / Double(max(names.count, 1))
      // As many labels as fit.
      let longest = Double(names.map(\.count).max() ?? 1) * 6.2 + 6
      let every = max(Int((longest / room).rounded(.up)), 1)
      for (index, name) in names.enumerated() where index.isMultiple(of: every) {
        label(x(Double(index)), name, "middle")
      }
      return svg
    }
    let step = Self.step(maxX, writeX)
    var value = 0.0
    while value <= maxX * 1.0001 {
      let x = x(value)
      svg += "<line class=\"axis\" x1=\"\(Self.n(x))\" x2=\"\(Self.n(x))\" "
      svg += "y1=\"\(Self.n(Self.base))\" y2=\"\(Self.n(Self.base + 4))\"/>"
      label(
        x, writeX(value), value + step > maxX * 1.0001 && x > Self.width - 40 ? "end" : "middle")
      value += step
    }
    return svg
  }

  private func path(_ curve: Curve, _ ceiling: Double) -> String {
    var svg = ""
    if curve.form == .bars {
      let count = Double(max(names?.count ?? curve.points.count, 1))
      let width = max(Self.room / count * 0.82, 1)
      for point in curve.points where point.y > 0 {
        let y = y(point.y, ceiling)
        svg +=
          "<rect class=\"bar\" fill=\"\(curve.color)\" x=\"\(Self.n(x(point.x) - width / 2))\" "
        svg += "y=\"\(Self.n(y))\" width=\"\(Self.n(width))\" height=\"\(Self.n(Self.base - y))\">"
        svg += "<title>\(Page.escaped(tell(curve, point)))</title></rect>"
      }
      return svg
    }
    var d = ""
    for (index, point) in curve.points.enumerated() {
      let (x, y) = (Self.n(x(point.x)), Self.n(y(point.y, ceiling)))
      d += index == 0 ? "M\(x) \(y)" : curve.form == .steps ? "H\(x)V\(y)" : "L\(x) \(y)"
    }
    if curve.form != .points, !d.isEmpty {
      svg += "<path class=\"line\" stroke=\"\(curve.color)\" d=\"\(d)\"/>"
    }
    guard curve.form != .steps else { return svg }
    for point in curve.points {
      svg += "<circle cx=\"\(Self.n(x(point.x)))\" cy=\"\(Self.n(y(point.y, ceiling)))\" r=\"3\" "
      svg += "fill=\"\(curve.color)\"><title>\(Page.escaped(tell(curve, point)))</title></circle>"
    }
    return svg
  }

  private func tell(_ curve: Curve, _ point: (x: Double, y: Double)) -> String {
    let place = names.map { names in
      let index = Int(point.x)
      return names.indices.contains(index) ? names[index] : ""
    }
    return "\(curve.name) \(place ?? writeX(point.x)): \(writeY(point.y))"
  }

  private func x(_ value: Double) -> Double {
    // Category labels are centered.
    if let names { return Self.left + (value + 0.5) / Double(max(names.count, 1)) * Self.room }
    return Self.left + value / maxX * Self.room
  }

  private func y(_ value: Double, _ ceiling: Double) -> Double {
    Self.base - value / ceiling * (Self.base - Self.above)
  }

  /// A round distance between the marks of an axis that ends at `most`; for times, in units of time.
  private static func step(_ most: Double, _ write: (Double) -> String) -> Double {
    let isTime = write(3600).hasSuffix("h") || write(3600).hasSuffix("min")
    let isBytes = write(1_048_576).hasSuffix("MiB")
    let wanted = most / 5
    if isTime {
      let steps: [Double] = [
        1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172_800,
        432_000, 864_000, 1_728_000, 4_320_000, 8_640_000, 17_280_000, 43_200_000, 86_400_000,
      ]
      if let step = steps.first(where: { $0 >= wanted }) { return step }
    }
    var unit = 1.0
    if isBytes { while unit * 1024 <= wanted { unit *= 1024 } }
    var power = unit
    while power * 10 <= wanted { power *= 10 }
    while power > wanted, power > 1e-9, !isBytes { power /= 10 }
    return [1, 2, 5, 10, 20].map { $0 * power }.first { $0 >= wanted } ?? power * 10
  }

  private static func n(_ value: Double) -> String { Words.plain(value) }
}
