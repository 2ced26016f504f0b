import Basics

package struct IgnoreList {
  private let comments: [IgnoreComment]
  private var used: Set<TextRange> = []

  package init(_ comments: [IgnoreComment] = []) { self.comments = comments }
  package var isEmpty: Bool { comments.isEmpty }

  package mutating func silences(_ diagnostic: Diagnostic) -> Bool {
    guard diagnostic.canBeIgnored else { return false }
    var isSilenced = false
    for comment in comments where comment.line == diagnostic.range.start.line {
      for code in comment.codes where code.value == diagnostic.code.rawValue {
        used.insert(code.range)
        isSilenced = true
      }
    }
    return isSilenced
  }

  /// The errors in the comments themselves; `isComplete` if every check has run.
  package func findings(isComplete: Bool) -> [Diagnostic] {
    comments.flatMap { comment in findings(comment) + (isComplete ? unused(comment) : []) }
  }

  private func findings(_ comment: IgnoreComment) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    if let problem = comment.problem {
      findings.append(
        Diagnostic(
          .invalidIgnore, problem, at: comment.range,
          help: "write '# pipeline: ignore[CODE] REASON'"))
    }
    for code in comment.codes {
      guard let known = DiagnosticCode(rawValue: code.value) else {
        let nearest = DiagnosticCode.nearest(to: code.value)?.rawValue
        findings.append(
          Diagnostic(
            .invalidIgnore, "unknown check '\(code.value)'", at: code.range,
            help: nearest.map { "did you mean '\($0)'?" } ?? "`pipeline rule --all` lists them",
            fixes: nearest.map { [Diagnostic.Fix(range: code.range, replacement: $0)] } ?? []))
        continue
      }
      if known.isStructural {
        findings.append(
          Diagnostic(.invalidIgnore, "'\(code.value)' cannot be ignored", at: code.range))
      }
    }
    return findings
  }

  private func unused(_ comment: IgnoreComment) -> [Diagnostic] {
    let idle = comment.codes.filter { code in
      guard let known = DiagnosticCode(rawValue: code.value), !known.isStructural
      else { return false }
      return !used.contains(code.range)
    }
    // The fix removes the whole comment; for one code of several the author must decide.
    let fix = Diagnostic.Fix(range: comment.removal, replacement: "", isSafe: true)
    return idle.map { code in
      Diagnostic(
        .unusedIgnore, "line \(comment.line) has no finding '\(code.value)' to ignore",
        at: code.range, help: "remove it", fixes: comment.codes.count == 1 ? [fix] : [])
    }
  }
}

extension Diagnostic {
  /// Whether a comment may ignore it: a warning, or an error that still leaves a pipeline to run.
  var canBeIgnored: Bool { !code.isStructural }
}

extension DiagnosticCode {
  /// Whether a file with this finding has no usable pipeline: it cannot be read, or a secret would be stored.
  ///
  /// Errors of meaning say that a pipeline is unwise, but it can run.
  public var isStructural: Bool { !Self.ofMeaning.contains(self) }

  private static let ofMeaning: Set<DiagnosticCode> = [
    .unescapedName, .missingSlash, .sharedTarget, .sameForEach, .unlikelyGlob, .unusedAnchor,
    .ambiguousScalar, .scalarBody, .unmarkedExpression, .constantCondition, .impossibleComparison,
    .skippedOutput, .shadowedName, .unusedPolicy, .unusedRate, .secretInURL, .secretInMessage,
    .unprotectedSecret, .foreignCredential, .insecureURL, .unencryptedSecret, .unsafeHeaderValue,
    .unsafeCreate, .bodyNotAllowed, .unreachableMatcher, .unreachableStep, .endlessStep,
    .repeatWithoutProgress, .unrelatedRewind, .uselessKey, .unusedInput, .unusedOutput,
    .lifetimeWithinSkew, .expiresBeforeUse, .uploadOutlivesIdentifier, .uploadOutlivesCredential,
    .retriesDoNotFit, .timeoutBeyondAllowance, .uploadTimeoutTooShort, .pollBeyondAllowance,
    .beginWithoutEarliest, .challengeWithoutCredential, .signatureInQueue, .diskBudgetExceeded,
    .concurrencyBeyondDisk, .batchBeyondDisk, .sharedResult, .unusedFile, .fileHeldForRun,
    .tooManyTransfers, .constantOutput, .misspeltName, .hardcodedSecret, .safeMethod, .unaskedProbe,
    .probeReadsSecret,
  ]
}
