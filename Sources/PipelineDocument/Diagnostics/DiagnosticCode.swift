/// The stable kebab-case name of a kind of diagnostic, which can be read after "allow …".
///
/// Its page, a ``Check``, says what it means.
public enum DiagnosticCode: Hashable, Sendable, CaseIterable {
  // Of the YAML text.
  case yamlSyntax, invalidUTF8, invalidCharacter, emptyDocument, multipleDocuments, duplicateKey,
    nonStringKey, mergeKey, undefinedAnchor, recursiveAlias, unusedAnchor, tagMismatch,
    unquotedExpression, tooDeep, tooLarge

  // Of documents against a JSON Schema, and of comments.
  case schemaViolation, unreadableUse, recursiveUse, brokenUse, notAPipeline, unknownCredentials,
    invalidIgnore, unusedIgnore

  // Of the shape.
  case unknownKey, unknownVersion, missingEffect, missingKey, unsupportedKey, conflictingKeys,
    wrongType, emptyCollection

  // Of single values.
  case invalidName, reservedName, invalidChoice, outOfRange, invalidDuration, invalidSize,
    invalidRate, invalidURL, scalarBody, invalidMethod, invalidHeader, invalidTrailer, invalidXML,
    invalidDefault, invalidGlob, unlikelyGlob, missingSlash, ambiguousScalar

  // Of expressions.
  case unmarkedExpression, expressionExpected, expressionNotAllowed, unclosedExpression,
    expressionSyntax, expressionType, invalidConstant, unknownField, headerCase, constantCondition,
    impossibleComparison, undeclaredReference

  // Of names.
  case unknownInput, unknownStep, unknownOutput, unknownRetryPolicy, unknownRate, unusedRate,
    duplicateID, usedBeforeMade, outOfScope, skippedOutput, shadowedName, unusedPolicy, unknownFile

  // Of meaning.
  case secretInURL, secretInMessage, secretInFileName, secretElement, unprotectedSecret,
    hardcodedSecret, unescapedName, sharedTarget, foreignCredential, safeMethod, unaskedProbe,
    probeReadsSecret, insecureURL, unencryptedSecret, unsafeHeaderValue, unsafeCreate, changingKey,
    bodyNotAllowed, unreachableMatcher, unreachableStep, endlessStep, repeatWithoutProgress,
    misspeltName, constantOutput, unrelatedRewind, noItem, misplacedBatch, sameForEach,
    sharedResult, uselessKey, unusedInput, unusedOutput

  // Of time, bytes and background transfer.
  case lifetimeWithinSkew, expiresBeforeUse, uploadOutlivesIdentifier, uploadOutlivesCredential,
    retriesDoNotFit, timeoutBeyondAllowance, uploadTimeoutTooShort, pollBeyondAllowance,
    beginWithoutEarliest, challengeWithoutCredential, signatureInQueue, diskBudgetExceeded,
    concurrencyBeyondDisk, batchBeyondDisk, unusedFile, fileHeldForRun, tooManyTransfers

  /// The code that `name` was probably meant to be; `nil` if none is similar.
  public static func nearest(to name: String) -> DiagnosticCode? {
    nearestName(to: name, among: allCases.map(\.rawValue)).flatMap(DiagnosticCode.init)
  }

  /// Whether what it marks could be deleted, as far as anything else in the document is concerned.
  public var isUnnecessary: Bool { Self.ofUnusedThings.contains(self) }

  private static let ofUnusedThings: Set<DiagnosticCode> = [
    .unusedAnchor, .unusedIgnore, .unusedInput, .unusedOutput, .unusedPolicy, .unusedRate,
    .unusedFile, .uselessKey, .unreachableMatcher, .unreachableStep,
  ]
}

extension DiagnosticCode {
  private static let names = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, kebabCase("\($0)")) })
  private static let byName = Dictionary(uniqueKeysWithValues: names.map { ($1, $0) })

  /// The code of this name.
  public init?(rawValue: String) {
    guard let code = Self.byName[rawValue] else { return nil }
    self = code
  }

  /// The name: the case in kebab case, so that `invalidURL` is `invalid-url`.
  public var rawValue: String { Self.names[self] ?? "" }

  private static func kebabCase(_ name: String) -> String {
    let letters = Array(name)
    return letters.indices.reduce(into: "") { result, index in
      let isWord =
        letters[index].isUppercase && index > 0
        && (!letters[index - 1].isUppercase
          || index + 1 < letters.count && letters[index + 1].isLowercase)
      result += (isWord ? "-" : "") + letters[index].lowercased()
    }
  }
}

extension DiagnosticCode {
  /// The usual severity of what is reported with it.
  var severity: Diagnostic.Severity { Self.ofWarnings.contains(self) ? .warning : .error }

  private static let ofWarnings: Set<DiagnosticCode> = [
    .unusedAnchor, .invalidIgnore, .unusedIgnore, .scalarBody, .unlikelyGlob, .missingSlash,
    .ambiguousScalar, .constantCondition, .impossibleComparison, .unusedRate, .skippedOutput,
    .shadowedName, .unusedPolicy, .secretInURL, .secretInMessage, .unprotectedSecret,
    .hardcodedSecret, .unescapedName, .sharedTarget, .foreignCredential, .safeMethod, .unaskedProbe,
    .probeReadsSecret, .insecureURL, .unencryptedSecret, .unsafeHeaderValue, .unreachableStep,
    .endlessStep, .repeatWithoutProgress, .misspeltName, .constantOutput, .unrelatedRewind,
    .sameForEach, .sharedResult, .unusedInput, .unusedOutput, .lifetimeWithinSkew,
    .expiresBeforeUse, .uploadOutlivesIdentifier, .uploadOutlivesCredential, .retriesDoNotFit,
    .timeoutBeyondAllowance, .uploadTimeoutTooShort, .pollBeyondAllowance, .beginWithoutEarliest,
    .challengeWithoutCredential, .signatureInQueue, .concurrencyBeyondDisk, .batchBeyondDisk,
    .unusedFile, .fileHeldForRun, .tooManyTransfers,
  ]
}
