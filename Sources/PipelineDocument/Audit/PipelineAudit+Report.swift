extension PipelineAudit {
  /// The audit as text, a line for each host, file and secret.
  ///
  /// - Parameter inputs: The known values of inputs.
  public func lines(inputs: [String: String] = [:]) -> [String] {
    var lines = ["hosts"]
    for destination in destinations {
      var line = "  \(destination.host.description)"
      let known = destination.host.inputs.compactMap { inputs[$0] }
      if !known.isEmpty { line += " (\(known.joined(separator: ", ")))" }
      lines.append(line + ": " + destination.steps.joined(separator: ", "))
    }
    if destinations.isEmpty { lines.append("  none") }
    lines.append("files")
    for reading in reads {
      switch (reading.input, reading.path) {
      case (let input?, let path):
        let given = inputs[input] ?? path
        lines.append("  the input '\(input)'" + (given.map { ": \($0)" } ?? ", given by the user"))
      case (nil, let path): lines.append("  used: \(path ?? "")")
      }
    }
    if reads.isEmpty { lines.append("  none") }
    if !writes.isEmpty { lines.append("folders") }
    for writing in writes {
      let given = inputs[writing.input].map { ": \($0)" } ?? ", given by the user"
      lines.append(
        "  the input '\(writing.input)'\(given), written by \(writing.steps.joined(separator: ", "))"
          + (writing.replaces ? ", which may replace files" : ""))
    }
    lines.append("secrets")
    for secret in secrets {
      let hosts = destinations.filter { $0.secrets.contains(secret) }.map(\.host.description)
      lines.append(
        "  \(secret): " + (hosts.isEmpty ? "sent nowhere" : hosts.joined(separator: "; ")))
    }
    if secrets.isEmpty { lines.append("  none") }
    return lines
  }

  /// The announcement before a run: one line for each host, and one for each file read.
  ///
  /// - Parameter inputs: The known values of inputs.
  public func announcement(inputs: [String: String]) -> [String] {
    let sending = destinations.map { destination in
      let known = destination.host.inputs.compactMap { inputs[$0] }
      let host =
        known.isEmpty || !destination.host.answers.isEmpty
        ? destination.host.description : known.joined(separator: ", ")
      let secrets = destination.secrets
      return "sends to \(host)"
        + (secrets.isEmpty ? "" : ", with \(secrets.joined(separator: ", "))")
    }
    let reading = reads.compactMap { reading in
      (reading.input.flatMap { inputs[$0] } ?? reading.path).map { "reads \($0)" }
    }
    let writing = writes.compactMap { writing in inputs[writing.input].map { "writes into \($0)" } }
    return sending + reading + writing
  }
}
