struct BodySizes {
  struct Bound {
    package var bytes: Int64
    /// Inputs whose defaults it depends on.
    package var inputs: [String] = []

    package mutating func add(_ other: Bound) {
      bytes = bytes.adding(other.bytes)
      inputs += other.inputs.filter { !inputs.contains($0) }
    }
  }

  private var bounds: [Int: Bound] = [:]
  private let files: [String: Int]

  init(_ pipeline: Pipeline, _ constants: Constants) {
    var files: [String: Int] = [:]
    for (index, step) in pipeline.steps.enumerated() {
      if step.makesFile { files["steps.\(step.id).file"] = index }
    }
    self.files = files
    // In file order, because each reads only those before it.
    for (index, step) in pipeline.steps.enumerated() {
      let bound: Bound
      switch step.action {
      case .materialize(let template): bound = self.bound(of: template.source, constants)
      // It does not use the budget.
      case .download(let template) where template.save != nil: continue
      case .download(let template):
        // The reserved space: the size, or the maximum.
        bound =
          template.size.flatMap(constants.bytes).map(Bound.init)
          ?? Bound(bytes: template.size == nil ? template.maximumSize ?? 0 : 0)
      case .request, .poll, .digest, .upload, .repeat, .forEach: continue
      }
      if bound.bytes > 0 { bounds[index] = bound }
    }
  }

  package func bound(ofStep step: Int) -> Bound? { bounds[step] }

  package func bound(ofFile expression: Expression) -> Bound? {
    files[String(Substring(expression.compiled.source).trimmed)].flatMap { bounds[$0] }
  }

  private func bound(of source: MaterializeTemplate.Source, _ constants: Constants) -> Bound {
    switch source {
    case .file(let file, let range):
      guard let range else { return bound(ofFile: file) ?? Bound(bytes: 0) }
      // A file shorter than its range fails the step, so the length is exact.
      return constants.bytes(range.length).map(Bound.init) ?? Bound(bytes: 0)
    case .text(let template), .xml(let template): return bound(of: template, constants)
    case .concat(let pieces):
      return pieces.reduce(into: Bound(bytes: 0)) { sum, piece in
        switch piece {
        case .text(let template): sum.add(bound(of: template, constants))
        case .file(let file, let range): sum.add(bound(of: .file(file, range: range), constants))
        }
      }
    case .json(let template): return bound(of: template, constants)
    case .multipart(let parts):
      return parts.reduce(into: Bound(bytes: 0)) { sum, part in
        switch part.content {
        case .text(let template): sum.add(bound(of: template, constants))
        case .file(let file, let range, _): sum.add(bound(of: .file(file, range: range), constants))
        }
      }
    }
  }

  private func bound(of template: Template, _ constants: Constants) -> Bound {
    var sum = Bound(bytes: 0)
    for part in template.parts {
      switch part {
      case .text(let text): sum.add(Bound(bytes: Int64(text.utf8.count)))
      case .expression(let expression):
        if let value = constants.value(expression), case .string(let text) = value.value {
          sum.add(Bound(bytes: Int64(text.utf8.count), inputs: value.inputs))
        }
      }
    }
    return sum
  }

  /// The size of only the values: keys, quotes and unknown parts only add to it.
  private func bound(of template: JSONTemplate, _ constants: Constants) -> Bound {
    switch template {
    case .literal(.string(let text)): return Bound(bytes: Int64(text.utf8.count))
    case .literal: return Bound(bytes: 1)
    case .template(let template): return bound(of: template, constants)
    case .array(let elements):
      return elements.reduce(into: Bound(bytes: 2)) { $0.add(bound(of: $1, constants)) }
    case .object(let members):
      return members.reduce(into: Bound(bytes: 2)) { $0.add(bound(of: $1.value, constants)) }
    }
  }
}

extension BodySizes.Bound {
  fileprivate init(_ size: Constant<Int64>) { (bytes, inputs) = (size.value, size.inputs) }
}

/// The fastest assumed connection of a device: 1 Gbit/s.
enum Bandwidth {
  static let bytesPerSecond: Int64 = 125_000_000

  static func leastTime(of bytes: Int64) -> Duration { .seconds(bytes / bytesPerSecond) }
}
