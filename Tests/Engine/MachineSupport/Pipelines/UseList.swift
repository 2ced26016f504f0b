import CEL
import PipelineCore

/// Finds the outputs that a step's expressions name.
struct UseList {
  private let steps: [Step]
  private(set) var uses: [OutputUse] = []

  init(_ steps: [Step]) { self.steps = steps }

  mutating func add(_ action: Step.Action) {
    switch action {
    case .request(let request): add(request)
    case .poll(let poll):
      add(poll.request)
      add(poll.deadline)
    case .upload(let upload):
      add(upload.request)
      add(upload.file)
      for bound in [upload.range?.offset, upload.range?.length] { if let bound { add(bound) } }
    case .repeat(let template):
      if let resync = template.resync { add(resync) }
      add(template.until)
      for value in template.from + template.next + template.found { add(value.value) }
    case .forEach(let template): add(template.items)
    case .digest(let template):
      add(template.file)
      for bound in [template.range?.offset, template.range?.length] { if let bound { add(bound) } }
    case .download(let download):
      add(download.request)
      if let size = download.size { add(size) }
      for template in [download.name, download.save?.name].compactMap({ $0 }) { add(template) }
      for one in download.expected { add(one.value) }
      if let folder = download.save?.folder { add(folder) }
    case .materialize(let template):
      switch template.source {
      case .file(let expression, let range):
        add(expression)
        if let range {
          add(range.offset)
          add(range.length)
        }
      case .multipart(let parts):
        for part in parts {
          switch part.content {
          case .text(let text): add(text)
          case .file(let expression, let range, let name):
            add(expression)
            if let range {
              add(range.offset)
              add(range.length)
            }
            if let name { add(name) }
          }
        }
      case .json(let json): for expression in json.expressions { add(expression) }
      case .text(let text), .xml(let text): add(text)
      case .concat: for expression in template.expressions { add(expression) }
      }
    }
  }

  mutating func add(_ request: RequestTemplate) {
    add(request.url)
    for field in request.query + request.headers { add(field.value) }
    for map in request.headerMaps { add(map.value) }
    switch request.body {
    case .json(let json): for expression in json.expressions { add(expression) }
    case .form(let fields): for field in fields { add(field.value) }
    case .text(let text), .xml(let text): add(text)
    case nil: break
    }
    for template in request.authorization?.templates ?? [] { add(template, isCredential: true) }
  }

  mutating func add(_ template: Template, isCredential: Bool = false) {
    for expression in template.expressions { add(expression, isCredential: isCredential) }
  }

  mutating func add(_ expression: Expression, isCredential: Bool = false) {
    for reference in expression.compiled.references {
      for (index, step) in steps.enumerated() {
        for (position, output) in step.outputs.enumerated()
        where reference.path.hasPrefix("steps.\(step.id).\(output.name)") {
          append(OutputUse(step: index, output: position, isCredential: isCredential))
        }
        if reference.path.hasPrefix("steps.\(step.id).file") {
          append(OutputUse(step: index, output: nil))
        }
      }
    }
  }

  /// The step only has to come first.
  mutating func addOrder(_ id: String) {
    guard let index = steps.firstIndex(where: { $0.id.rawValue == id }) else { return }
    append(OutputUse(step: index, output: nil))
  }

  private mutating func append(_ use: OutputUse) {
    if !uses.contains(use) { uses.append(use) }
  }
}
