import PipelineAuthoring

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "new", "Create a commented pipeline from a template.",
    status: ExitStatus.help([
      (.done, "the file was written"), (.invalid, "there is no such template, or the file exists"),
      (.environment, "the file cannot be written"), (.usage, ExitStatus.usage.meaning),
    ]))

  @Argument(
    help: "Template to start from.",
    completion: .list((PipelineTemplate.all + PipelineTemplate.catalogue).map(\.name)))
  var template: String = "put"

  @Flag(help: "List the templates.") var list = false
  @Option(help: "Name of the pipeline (default: the template's name).") var name: String?

  @Option(
    name: [.short, .long],
    help: .help("File to write; - is standard output (default: NAME.yaml).", "file"))
  var output: String?

  @Flag(help: "Overwrite an existing file.") var force = false

  func run() throws {
    if list { return Self.list() }
    guard let found = PipelineTemplate.named(template) else {
      let names = (PipelineTemplate.all + PipelineTemplate.catalogue).map(\.name)
      let nearest = nearestName(to: template, among: names).map { "did you mean '\($0)'? " } ?? ""
      throw CommandFailure(
        .invalid, "there is no template '\(template)'",
        details: ["\(nearest)`pipeline new --list` shows all \(names.count)"])
    }
    do {
      try write(try found.text(name: name), to: output ?? (name ?? found.pipeline) + ".yaml")
    } catch let problem as PipelineTemplate.NameProblem {
      throw CommandFailure.invalid(problem.message)
    }
  }

  private static func list() {
    let groups = [
      ("general", PipelineTemplate.all), ("protocols of services", PipelineTemplate.catalogue),
    ]
    let width = groups.flatMap(\.1).map(\.name.count).max() ?? 0
    for (title, templates) in groups {
      Terminal.print("\(title):")
      for template in templates {
        let gap = String(repeating: " ", count: width - template.name.count + 2)
        Terminal.print("  " + template.name + gap + template.summary)
      }
    }
  }

  private func write(_ text: String, to file: String) throws {
    if file == "-" { return Terminal.write(text, to: 1) }
    let output = OutputFile(file)
    guard force || !output.isFile else {
      throw CommandFailure.invalid("'\(file)' already exists; use --force to overwrite it")
    }
    try output.write(text)
    Terminal.print("wrote \(file); next: pipeline validate \(file)")
  }
}
