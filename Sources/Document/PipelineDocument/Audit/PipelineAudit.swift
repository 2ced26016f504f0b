/// The accesses of a pipeline: the hosts that it sends to, the files that it reads, and where each secret is sent.
///
/// A host that the pipeline does not name literally is described by its origin: an input, or the response of a step.
public struct PipelineAudit: Sendable {
  /// A host that requests are sent to.
  public struct Host: Hashable, Sendable {
    /// Scheme and host, if the pipeline names them.
    public var name: String?
    /// The inputs that decide it, in order.
    public var inputs: [String] = []
    /// The steps whose responses decide it, in order.
    public var answers: [String] = []
    /// The expression that decides it, if neither an input nor a response does.
    public var expression: String?

    public var description: String {
      if let name { return name }
      let deciders = inputs.map { "the input '\($0)'" } + answers.map { "the response of '\($0)'" }
      if deciders.isEmpty { return "a host named by \(expression ?? "an expression")" }
      return "a host named by \(deciders.joined(separator: " and "))"
    }
  }

  /// The data that is sent to a host.
  public struct Destination: Hashable, Sendable {
    public let host: Host
    /// The steps that send to it, each once, in order.
    public var steps: [String]
    /// The secrets sent to it, each once and sorted: `inputs.NAME` and `steps.ID.NAME`.
    public var secrets: [String]
  }

  /// Files that are read.
  public struct Reading: Hashable, Sendable {
    /// The input that names them; `nil` for a file that the pipeline uses.
    public let input: String?
    /// The path or pattern; `nil` if the user sets it.
    public let path: String?
  }

  /// A folder that files are put into.
  public struct Writing: Hashable, Sendable {
    /// The input that names it.
    public let input: String
    /// The steps that put files there, in order.
    public var steps: [String]
    /// Whether existing files may be replaced.
    public var replaces: Bool
  }

  /// The destinations, in the order of the steps.
  public private(set) var destinations: [Destination] = []
  /// The pipeline's name.
  public let name: String
  /// A file that is read.
  public let reads: [Reading]
  /// The folders that files are put into, in the order of the steps.
  public private(set) var writes: [Writing] = []
  /// All secrets, in order.
  public let secrets: [String]

  /// Audits a checked pipeline that uses the files at the paths `used`.
  public init(_ pipeline: Pipeline, used: [String] = []) {
    name = pipeline.name
    reads =
      pipeline.inputs.filter { $0.kind == .file || $0.kind == .files }
      .map { Reading(input: $0.name, path: $0.defaultText) }
      + used.sorted().map { Reading(input: nil, path: $0) }
    secrets =
      pipeline.givenCredentials.map { "credentials.\($0)" }
      + pipeline.secretNames.filter { !$0.hasPrefix("previous.") }.sorted()
    for step in pipeline.steps {
      let name = step.id.rawValue
      noteWriting(of: step)
      var sent = Self.secrets(inBodyOf: step, pipeline)
      sent += Self.secrets(in: step.idempotencyKey?.expressions ?? [], of: step, pipeline)
      if let request = step.action.request {
        sent += Self.secrets(in: request.expressions, of: step, pipeline)
        add(request, of: name, sent, step.loop, pipeline)
      }
      if let request = step.probe?.request {
        let asked = Self.secrets(in: request.expressions, of: step, pipeline)
        add(request, of: name, asked, step.loop, pipeline)
      }
    }
    for (index, loop) in pipeline.loops.enumerated() {
      for abandonment in loop.onAbandon {
        let sent = Self.secrets(in: abandonment.request.expressions, pipeline)
        add(abandonment.request, of: "on_abandon", sent, index, pipeline)
      }
    }
  }

  private mutating func noteWriting(of step: Step) {
    guard case .download(let template) = step.action, let save = template.save else { return }
    let names = save.folder.compiled.references.map(\.variable)
    let input = names.first.map { String($0.dropFirst("inputs.".count)) } ?? ""
    let place =
      writes.firstIndex { $0.input == input }
      ?? {
        writes.append(Writing(input: input, steps: [], replaces: false))
        return writes.count - 1
      }()
    writes[place].steps.append(step.id.rawValue)
    writes[place].replaces = writes[place].replaces || save.existing != .refuse
  }

  private mutating func add(
    _ request: RequestTemplate, of step: String, _ sent: [String], _ loop: Int?,
    _ pipeline: Pipeline
  ) {
    let sent = sent + (request.given.map { ["credentials.\($0)"] } ?? [])
    let host = HostOrigin(pipeline: pipeline, loop: loop).host(of: request.url)
    let place =
      destinations.firstIndex { $0.host == host }
      ?? {
        destinations.append(Destination(host: host, steps: [], secrets: []))
        return destinations.count - 1
      }()
    if !destinations[place].steps.contains(step) { destinations[place].steps.append(step) }
    for secret in sent where !destinations[place].secrets.contains(secret) {
      destinations[place].secrets.append(secret)
    }
  }

  private static func secrets(
    in expressions: [PipelineCore.Expression], _ pipeline: Pipeline
  ) -> [String] {
    expressions.flatMap { $0.compiled.references.map(\.variable) }
      .filter { pipeline.secretNames.contains($0) && !$0.hasPrefix("previous.") }
  }

  /// The secrets that the expressions of a step read, by their names or in the entries of its batch.
  private static func secrets(
    in expressions: [PipelineCore.Expression], of step: Step, _ pipeline: Pipeline
  ) -> [String] {
    var read = expressions
    let names = expressions.flatMap { $0.compiled.references.map(\.variable) }
    if let batch = step.batch, names.contains(where: { $0.hasPrefix("batch.entr") }) {
      read += batch.entry.expressions
    }
    return secrets(in: read, pipeline)
  }

  private static func secrets(inBodyOf step: Step, _ pipeline: Pipeline) -> [String] {
    guard case .upload(let upload) = step.action else { return [] }
    var found: [String] = []
    var seen: Set<String> = []
    var names = upload.file.compiled.references.map(\.variable)
    while let name = names.popLast() {
      guard seen.insert(name).inserted,
        let index = pipeline.secretBodies.first(where: {
          "steps.\(pipeline.steps[$0].id).file" == name
        }), case .materialize(let template) = pipeline.steps[index].action
      else { continue }
      found += secrets(in: template.expressions, pipeline)
      names += template.expressions.flatMap { $0.compiled.references.map(\.variable) }
    }
    return found
  }

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
        lines.append("  the input '\(input)'" + (given.map { ": \($0)" } ?? ", set by the user"))
      case (nil, let path): lines.append("  used: \(path ?? "")")
      }
    }
    if reads.isEmpty { lines.append("  none") }
    if !writes.isEmpty { lines.append("folders") }
    for writing in writes {
      let given = inputs[writing.input].map { ": \($0)" } ?? ", set by the user"
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

private struct HostOrigin {
  package let pipeline: Pipeline
  package let loop: Int?

  /// Reads the URL from its start to the end of its host.
  ///
  /// An input or a response names the host only if nothing else contributes to it: the URL starts with only it, and
  /// continues with something that ends a host. Otherwise the audit shows the text in the file.
  func host(of url: Template) -> PipelineAudit.Host {
    var summands: [Summand] = []
    for part in url.parts {
      switch part {
      case .text(let text): summands.append(.text(text))
      case .expression(let expression): add(expression.compiled, to: &summands)
      }
    }
    var text = ""
    var isWhole = false
    for (place, summand) in summands.enumerated() {
      switch summand {
      case .text(let next):
        text += next
        isWhole = Self.authority(text)?.isWhole == true
        if isWhole { return PipelineAudit.Host(name: Self.authority(text)?.text ?? text) }
      case .value(let source, let names):
        if text.isEmpty || text == "http://" || text == "https://",
          Self.endsHost(summands.dropFirst(place + 1)), let host = decider(source, names)
        {
          return host
        }
        return PipelineAudit.Host(expression: "the expression " + summands.map(\.source).joined())
      }
    }
    return PipelineAudit.Host(name: Self.authority(text)?.text ?? text)
  }

  private enum Summand {
    case text(String)
    case value(source: String, names: [String])

    package var source: String {
      switch self {
      case .text(let text): text
      case .value(let source, _): "${{ \(source) }}"
      }
    }
  }

  /// More are not shown: a few definitions that double each other have billions.
  private static let mostSummands = 1_000

  /// Adds the values that are added up; a name that a used file receives is the value that it receives.
  private func add(_ expression: CompiledExpression, to summands: inout [Summand]) {
    let source = expression.source
    let scalars = Array(source.unicodeScalars)
    for summand in Variables.base.compile(source, isChecked: false).syntax.summands {
      guard summands.count < Self.mostSummands else { return }
      if let text = summand.literalText {
        summands.append(.text(text))
        continue
      }
      let names = expression.references.filter {
        summand.range.overlaps($0.range) || $0.range.isEmpty
      }.map(\.variable)
      let own = String(
        String.UnicodeScalarView(scalars[summand.range.clamped(to: 0..<scalars.count)]))
      if let received = expression.definitions[String(own[...].trimmed)] {
        add(received, to: &summands)
      } else {
        summands.append(.value(source: own, names: names))
      }
    }
  }

  private static func endsHost(_ rest: ArraySlice<Summand>) -> Bool {
    switch rest.first {
    case nil: true
    case .text(let text)?: text.first.map { "/?#".contains($0) } == true
    case .value?: false
    }
  }

  /// The input or response that the value consists of unchanged; `nil` for anything else.
  private func decider(_ source: String, _ names: [String]) -> PipelineAudit.Host? {
    guard let name = names.first, names.count == 1, Self.isPath(source, of: name)
    else { return nil }
    let parts = name.split(separator: ".").map(String.init)
    if parts.count == 2, parts[0] == "inputs" { return PipelineAudit.Host(inputs: [parts[1]]) }
    if parts.count > 2, parts[0] == "steps" {
      let id = parts[1..<(parts.count - 1)].joined(separator: ".")
      guard let step = pipeline.steps.first(where: { $0.id.rawValue == id }),
        let output = step.outputs.first(where: { $0.name == parts.last }),
        output.value.parts.count == 1, case .expression(let value)? = output.value.parts.first,
        let read = value.compiled.references.first?.variable, read.hasPrefix("response."),
        value.compiled.references.count == 1, Self.isPath(value.compiled.source, of: read)
      else { return nil }
      return PipelineAudit.Host(answers: [id])
    }
    if let loop, pipeline.loops[loop].variable == name {
      let items = pipeline.loops[loop].items.compiled
      return decider(items.source, items.references.map(\.variable))
    }
    return nil
  }

  private static func isPath(_ source: String, of variable: String) -> Bool {
    let path = source[...].trimmed
    return path.hasPrefix(variable)
      && path.dropFirst(variable.count).first.map { $0 == "." || $0 == "[" } ?? true
      && path.allSatisfy { $0.isLetter || $0.isNumber || "_.[]'-".contains($0) }
  }

  /// Scheme and host without the part before an `@`, which could be mistaken for the host.
  private static func server(_ text: Substring) -> String {
    guard let start = text.firstRange(of: "://")?.upperBound, let at = text.lastIndex(of: "@")
    else { return text.lowercased() }
    return (text[..<start] + text[text.index(after: at)...]).lowercased()
  }

  /// Scheme and authority at the start of a URL, and whether something after them ends the authority.
  private static func authority(_ text: String) -> (text: String, isWhole: Bool)? {
    guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
    guard let end = text[start...].firstIndex(where: { "/?#".contains($0) })
    else { return (server(text[...]), false) }
    return (server(text[..<end]), true)
  }
}
