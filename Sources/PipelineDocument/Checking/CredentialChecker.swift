import CEL
import PipelineCore

/// Compiling credentials: the names that signatures see besides.
extension ExpressionChecker {
  /// What authorizes a request; `nil` if there is nothing, or if something was reported.
  func authorization(
    _ draft: DraftRequest.Authorization?, _ context: inout Context
  ) -> RequestTemplate.Authorization? {
    switch draft {
    case nil: return nil
    case .bearer(let token):
      return template(token, as: .string, &context, isCredential: true)
        .map(RequestTemplate.Authorization.bearer)
    case .basic(let user, let password):
      let user = template(user, as: .string, &context, isCredential: true)
      let password = template(password, as: .string, &context, isCredential: true)
      guard let user, let password else { return nil }
      return .basic(user: user, password: password)
    case .headers(let drafts):
      return credentials(drafts, as: .textual, &context).map(RequestTemplate.Authorization.headers)
    case .signing(let signing):
      return self.signing(signing, &context).map(RequestTemplate.Authorization.signing)
    }
  }

  private func signing(
    _ draft: RequestSigning<Draft>, _ context: inout Context
  ) -> RequestSigning<Compiled>? {
    let values = credentials(draft.values, as: .textual, &context)
    let entries: [RequestTemplate.Field]?
    if draft.scheme == .expressions {
      // The names of the finished request exist only here.
      var environment = context.environment
      for (name, type) in Variables.ofSignedRequest { environment.declare(name, as: type) }
      var inner = Context(environment: environment, place: context.place, uses: context.uses)
      entries = credentials(draft.entries, as: .textual, &inner)
      context.uses = inner.uses
    } else {
      entries = credentials(draft.entries, as: draft.scheme == .oauth1 ? .textual : .json, &context)
    }
    guard let values, let entries else { return nil }
    return RequestSigning(
      scheme: draft.scheme, values: values, entries: entries, given: draft.given)
  }

  /// Names and templates whose values only authorize.
  private func credentials(
    _ drafts: [DraftField], as type: ExpectedType, _ context: inout Context
  ) -> [RequestTemplate.Field]? {
    let fields = drafts.compactMap { draft in
      template(draft.value, as: type, &context, isCredential: true).map {
        RequestTemplate.Field(name: draft.name.value, value: $0)
      }
    }
    return fields.count == drafts.count ? fields : nil
  }
}

extension Variables {
  /// Names that the trailers of an upload see of its body, and their types.
  static let ofBody: [(name: String, type: ValueType)] = DigestAlgorithm.allCases.flatMap { one in
    RenderedTrailer.Encoding.allCases.map { (RenderedTrailer.name(one, $0), .string) }
  }

  /// Names that the headers of `sign` see of the finished request, and their types; values come through
  /// ``/PipelineCore/Scope/locals``.
  static let ofSignedRequest: [(name: String, type: ValueType)] =
    [
      ("request.method", .string), ("request.url", .string), ("request.host", .string),
      ("request.path", .string), ("request.query", .string),
      ("request.headers", .map(.string, .string)), ("request.body.size", .int),
      ("clock.server", .timestamp),
    ] + DigestAlgorithm.allCases.map { ("request.body.\($0.rawValue)", .string) }
}

extension Visibility {
  /// The names of what the step's own last success left, if it seals an output: a value that rotates is made from the one before.
  func withPrevious(of draft: DraftStep) -> Visibility {
    guard draft.outputs.contains(where: \.isSealed) else { return self }
    var visibility = self
    // Null before the first success, and where the value was not kept.
    for output in draft.outputs { visibility.declare("previous.\(output.name.value)", as: .dyn) }
    return visibility
  }
}
