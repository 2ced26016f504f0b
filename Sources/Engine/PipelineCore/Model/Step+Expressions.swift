extension Step {
  /// Every expression of the step, in no order.
  public var expressions: [Expression] {
    var all = [condition, successIf].compactMap { $0 }
    all += action.expressions + matchers.flatMap(\.expressions)
    for output in outputs {
      all += output.value.expressions
      if let end = output.lifetime?.end { all.append(end.expression) }
    }
    if let batch {
      all +=
        batch.ofItems + batch.entry.expressions + [batch.result]
        + batch.matchers.flatMap(\.expressions)
    }
    if let target { all += target.expressions }
    if let probe { all += probe.request.expressions + [probe.tookEffect] }
    return all
  }

  /// The expressions of an output: those of the output itself,
  /// or of the values that a `repeat` carries or a `for_each` collects.
  func values(ofOutput index: Int) -> [Expression] {
    switch action {
    case .repeat(let template): template.values(ofOutput: index).flatMap(\.expressions)
    case .forEach(let template): template.collect[index].value.expressions
    default: outputs[index].value.expressions
    }
  }
}

extension Matcher {
  /// Every expression of the matcher, in no order.
  public var expressions: [Expression] {
    [condition, after].compactMap { $0 } + (message?.expressions ?? [])
  }
}

extension RequestTemplate {
  /// Every expression of the request, in no order.
  public var expressions: [Expression] {
    shownExpressions + headers.flatMap(\.value.expressions) + headerMaps.map(\.value)
      + (authorization?.templates.flatMap(\.expressions) ?? [])
  }

  /// Those of its URL and its body.
  var shownExpressions: [Expression] {
    url.expressions + query.flatMap(\.value.expressions) + bodyExpressions
  }

  var bodyExpressions: [Expression] {
    switch body {
    case .json(let template)?: template.expressions
    case .form(let fields)?: fields.flatMap(\.value.expressions)
    case .text(let template)?, .xml(let template)?: template.expressions
    case nil: []
    }
  }
}

extension MaterializeTemplate {
  /// Every expression of the file, in no order.
  public var expressions: [Expression] {
    switch source {
    case .file(let file, let range): [file] + (range.map { [$0.offset, $0.length] } ?? [])
    case .json(let template): template.expressions
    case .text(let template), .xml(let template): template.expressions
    case .concat(let pieces):
      pieces.flatMap { piece in
        switch piece {
        case .text(let template): template.expressions
        case .file(let file, let range): [file] + (range.map { [$0.offset, $0.length] } ?? [])
        }
      }
    case .multipart(let parts):
      parts.flatMap { part in
        let headers = part.headers.flatMap(\.value.expressions)
        switch part.content {
        case .text(let template): return template.expressions + headers
        case .file(let file, let range, let filename):
          let bounds = range.map { [$0.offset, $0.length] } ?? []
          return [file] + bounds + (filename?.expressions ?? []) + headers
        }
      }
    }
  }
}
