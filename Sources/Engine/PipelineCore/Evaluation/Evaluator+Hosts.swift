import CEL

extension Evaluator {
  /// The hosts whose responses named the host of `url`; `nil` if the pipeline or an input names it.
  ///
  /// A response that only supplies the path of a URL does not name a host.
  func hostSources(ofHostOf url: String, _ template: RequestTemplate, _ scope: Scope) -> [String]? {
    let producers = producers(of: template.url, scope)
    guard !producers.isEmpty, !isNamed(Self.origin(of: url), template, scope) else { return nil }
    return Set(producers.compactMap { host(ofRequestOf: $0, scope) }).sorted()
  }

  /// The steps whose responses an expression of the template reads, directly or in the list of its loop.
  private func producers(of template: Template, _ scope: Scope) -> Set<Int> {
    var producers: Set<Int> = []
    for expression in template.expressions {
      for reference in expression.compiled.references {
        if let producer = producer(of: reference.variable) {
          producers.insert(producer)
        } else if let item = scope.item, pipeline.loops.indices.contains(item.loop),
          pipeline.loops[item.loop].variable == reference.variable
        {
          for inner in pipeline.loops[item.loop].items.compiled.references {
            if let producer = producer(of: inner.variable) { producers.insert(producer) }
          }
        }
      }
    }
    return producers
  }

  private func producer(of name: String) -> Int? {
    guard case .output(let step, _)? = slots[name] else { return nil }
    return step
  }

  /// Whether the pipeline's text or the value of an input contains the whole origin.
  private func isNamed(_ origin: String, _ template: RequestTemplate, _ scope: Scope) -> Bool {
    for part in template.url.parts {
      let text =
        switch part {
        case .text(let text): text
        case .expression(let expression): expression.compiled.source
        }
      if text.names(origin: origin) { return true }
    }
    let host = Self.host(of: origin)
    return pipeline.inputs.contains { input in
      guard case .string(let text)? = scope.inputs[input.name] else { return false }
      return text.lowercased() == host || Self.origin(of: text) == origin
    }
  }

  /// The scope of a server's limits on a request: the rate that it names, or its scheme, host and port; `nil` if its URL
  /// can no longer be determined.
  func limitScope(of template: RequestTemplate, _ scope: Scope) -> String? {
    if let rate = template.rate { return rate }
    guard let url = beginning(of: template.url, scope) else { return nil }
    let origin = Self.origin(of: url)
    guard let user = origin.lastIndex(of: "@"), let start = origin.authorityStart else {
      return origin
    }
    return String(origin[..<start] + origin[origin.index(after: user)...])
  }

  /// The URL of the first step that sends a request, up to the end of its authority or further; `nil` if items or responses name it.
  public func firstDestination(_ scope: Scope) -> String? {
    let first = pipeline.steps.lazy.compactMap(\.action.request).first
    return first.flatMap { beginning(of: $0.url, scope) }
  }

  /// The verdict on a request to a host that this process may not send to; no matcher is asked, since others may be allowed to.
  func unlistedVerdict(_ response: Response) -> Verdict? {
    guard let error = response.error, error.circumstance == .hostNotListed else { return nil }
    return .pause(Failure(error.message, lacking: .hosts))
  }

  /// A URL up to the end of its authority or further; `nil` if that can no longer be determined.
  ///
  /// The rest may contain a secret that was lost with its process.
  private func beginning(of url: Template, _ scope: Scope) -> String? {
    var beginning = ""
    for part in url.parts {
      guard let next = try? text(Template([part]), scope) else { return nil }
      beginning += next
      if let start = beginning.authorityStart,
        beginning.authorityEnd(after: start) < beginning.endIndex
      {
        break
      }
    }
    return beginning
  }

  /// Scheme and authority of an absolute URL, in lower case.
  private static func origin(of url: String) -> String {
    guard let start = url.authorityStart else { return url.lowercased() }
    return url[..<url.authorityEnd(after: start)].lowercased()
  }

  /// The host that the step's request is sent to, without its port;
  /// `nil` if that can no longer be determined.
  private func host(ofRequestOf index: Int, _ scope: Scope) -> String? {
    let step = pipeline.steps[index]
    guard let template = step.action.request, let url = beginning(of: template.url, scope)
    else { return nil }
    let authority = Self.host(of: url).split(separator: "@").last ?? ""
    return authority.first == "["
      ? String(authority.dropFirst().prefix { $0 != "]" })
      : authority.prefix { $0 != ":" }.lowercased()
  }
}
