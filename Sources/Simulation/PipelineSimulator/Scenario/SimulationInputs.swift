/// Values for a pipeline's inputs: from the scenario, or else its defaults, or else placeholders.
struct SimulationInputs: Sendable {
  private(set) var values: [String: Value] = [:]
  private(set) var secrets: [String: Value] = [:]
  private var lists: [String] = []
  private(set) var singleFiles: Set<String> = []

  init(_ pipeline: Pipeline, _ scenario: Scenario) throws(SimulationProblem) {
    for input in scenario.inputs where !pipeline.inputs.contains(where: { $0.name == input.name }) {
      let names = pipeline.inputs.map(\.name)
      throw SimulationProblem(
        "no input of the pipeline '\(pipeline.name)' has the name '\(input.name)'",
        help: names.isEmpty
          ? "it has no inputs" : "expected one of \(names.joined(separator: ", "))",
        at: input.range)
    }
    for declaration in pipeline.inputs {
      let given = scenario.inputs.first { $0.name == declaration.name }
      switch declaration.kind {
      case .files, .file:
        if let given {
          throw SimulationProblem(
            "'\(given.name)' uses the scenario's items, not paths",
            help: "use 'items' to set their number and sizes", at: given.range)
        }
        if declaration.kind == .file {
          singleFiles.insert(declaration.name)
        } else {
          lists.append(declaration.name)
        }
      // A path of the author's disk means nothing here.
      case .folder: values[declaration.name] = given.map { .string($0.text) } ?? "/simulated"
      case .string, .int, .bool, .url, .duration, .size, .secret: try take(declaration, given)
      }
    }
  }

  private mutating func take(
    _ declaration: InputDeclaration, _ given: ScenarioInput?
  ) throws(SimulationProblem) {
    var value: Value?
    do throws(InputValues.Problem) {
      value =
        if let given { try InputValues.parse(declaration, given.text) } else {
          try InputValues.fallback(declaration)
        }
    } catch {
      throw SimulationProblem("input '\(declaration.name)': \(error.message)", at: given?.range)
    }
    // A text that may be empty stays so: it often chooses between two ways.
    let isMissing = value == "" && given == nil && declaration.kind != .string
    if value == nil || isMissing { value = Self.standIn(declaration) ?? value }
    guard let value else {
      throw SimulationProblem(
        "the input '\(declaration.name)' has no value",
        help: "add 'inputs: { \(declaration.name): … }' to the scenario")
    }
    if declaration.kind == .secret {
      secrets[declaration.name] = value
    } else {
      values[declaration.name] = value
    }
  }

  private static func standIn(_ declaration: InputDeclaration) -> Value? {
    switch declaration.kind {
    case .url: .string("https://\(declaration.name.replacing("_", with: "-")).test")
    case .secret: "secret"
    case .string: .string(declaration.name)
    case .bool: true
    case .int, .duration, .size, .file, .files, .folder: nil
    }
  }

  /// The files of the inputs of type `files`, with these sizes.
  func files(_ sizes: [Int64]) -> [String: [FileValue]] {
    var files: [String: [FileValue]] = [:]
    for input in lists + singleFiles.sorted() {
      let count = singleFiles.contains(input) ? min(sizes.count, 1) : sizes.count
      files[input] = (0..<count).map { index in
        let name = "\(input)-\(index + 1).jpg"
        return FileValue(
          path: "/simulated/\(input)/\(name)", name: name, size: sizes[index],
          modified: 1_767_225_600_000_000_000, contentType: "image/jpeg")
      }
    }
    return files
  }
}
