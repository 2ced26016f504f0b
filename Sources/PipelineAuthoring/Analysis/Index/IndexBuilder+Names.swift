import PipelineDocument
import PipelineCore
import YAMLSyntax

extension IndexBuilder {
  mutating func names(
    _ scalars: [Unicode.Scalar], _ pieces: [Range<Int>], _ node: YAMLNode, _ scope: Scope
  ) {
    var found: [(symbol: DocumentIndex.Symbol, range: Range<Int>)] = []
    let variable = scope.loop.flatMap { index.loops[$0].variable?.value }
    for piece in pieces {
      for path in ExpressionNames(Array(scalars[piece])).paths where !path.isMember && !path.isLocal
      {
        let names = path.names.map { name in
          (
            name.name,
            (name.range.lowerBound + piece.lowerBound)..<(name.range.upperBound + piece.lowerBound)
          )
        }
        if names[0].0 == "inputs", names.count > 1 {
          found.append((.input(names[1].0), names[1].1))
        } else if names[0].0 == "steps", names.count > 1 {
          found.append((.step(names[1].0), names[1].1))
          if names.count > 2 {
            found.append((.output(step: names[1].0, name: names[2].0), names[2].1))
          }
        } else if names[0].0 == "previous", names.count > 1, let own = owners.last,
          let id = index.steps[own].id
        {
          found.append((.output(step: id.value, name: names[1].0), names[1].1))
        } else if let loop = scope.loop, names[0].0 == variable {
          found.append((.variable(loop: loop), names[0].1))
        } else if index.steps.indices.contains(scope.step),
          index.steps[scope.step].values.contains(where: { $0.name.value == names[0].0 })
        {
          found.append((.value(step: scope.step, name: names[0].0), names[0].1))
        } else if let parts = scope.parts,
          names[0].0 == index.steps[parts].parts?.variable?.value
        {
          found.append((.part(step: parts), names[0].1))
        }
      }
    }
    let ranges = document.ranges(ofScalarOffsets: found.map(\.range), in: node)
    for (name, place) in zip(found, ranges) { note(name.symbol, range(place)) }
  }
}

extension [ValueShape] {
  /// The shape that a node can have besides that of a construct.
  func shape(of node: YAMLNode) -> ValueShape? {
    let isExpression = node.scalar?.text.contains("${{") ?? false
    if isExpression, let shape = first(where: \.takesExpressions) { return shape }
    return first { shape in
      switch shape {
      case .construct: false
      case .map: node.mapping != nil
      case .list, .filledList: node.sequence != nil
      default: node.scalar != nil
      }
    }
  }
}

extension ValueShape {
  fileprivate var takesExpressions: Bool {
    switch self {
    case .template, .optionalTemplate, .expression, .durationOrExpression, .json: true
    default: false
    }
  }
}
