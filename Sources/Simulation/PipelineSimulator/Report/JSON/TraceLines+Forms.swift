extension TraceLines {
  /// The events of a trace with their members, in the order in which ``TraceLines`` has their values: those of `trace.txt`.
  package static let forms: [OutputEvent] = {
    var shared: [String: [OutputMember]] = [:]
    var forms: [OutputEvent] = []
    for part in String(decoding: PackageResources.trace_txt, as: UTF8.self).split(separator: "\n\n")
    {
      let lines = part.split(separator: "\n").map(String.init)
      let members = lines.dropFirst().flatMap { line in
        line.hasPrefix("+ ") ? shared[String(line.dropFirst(2))] ?? [] : [member(line.dropFirst(2))]
      }
      let head = lines[0].split(separator: ": ", maxSplits: 1).map(String.init)
      if head[0].hasPrefix("* ") {
        shared[String(head[0].dropFirst(2))] = members
      } else {
        forms.append(OutputEvent(head[0], head[1], (shared["time"] ?? []) + members))
      }
    }
    return forms
  }()

  static let formsByName = Dictionary(uniqueKeysWithValues: forms.map { ($0.name, $0) })

  /// A member as its name in backquotes, its shape and a summary, with `?` after a name that may be absent.
  private static func member(_ line: Substring) -> OutputMember {
    let parts = line.split(separator: ": ", maxSplits: 2).map(String.init)
    let (name, isAlways) = (parts[0].filter { !"`?".contains($0) }, !parts[0].hasSuffix("?"))
    return isAlways
      ? .always(name, shape(parts[1]), parts[2]) : .maybe(name, shape(parts[1]), parts[2])
  }

  private static func shape(_ name: String) -> OutputShape {
    switch name {
    case "amount": .amount
    case "count": .count
    case "flag": .flag
    case "life": .words(Timeline.Life.self)
    case "network": .words(ScenarioConditions.Network.self)
    case "number": .number
    case "oddity": .words(SimulatedResponse.Oddity.self)
    case "purpose": .words(SimulatedRequest.Purpose.self)
    case "renewal": .words(Renewal.self)
    case "stall": .words(Tally.Stall.self)
    case "status": .word(Item.Status.allCases.map(\.word))
    case "time": .time
    default: .text
    }
  }
}
