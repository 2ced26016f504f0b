/// The stable kebab-case name of a kind of diagnostic, which can be read after "allow …".
///
/// Its page, a ``Check``, explains it.
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
  // Of the YAML text.
  case yamlSyntax = "yaml-syntax"
  case invalidUTF8 = "invalid-utf8"
  case invalidCharacter = "invalid-character"
  case emptyDocument = "empty-document"
  case multipleDocuments = "multiple-documents"
  case duplicateKey = "duplicate-key"
  case nonStringKey = "non-string-key"
  case mergeKey = "merge-key"
  case undefinedAnchor = "undefined-anchor"
  case recursiveAlias = "recursive-alias"
  case unusedAnchor = "unused-anchor"
  case tagMismatch = "tag-mismatch"
  case unquotedExpression = "unquoted-expression"
  case tooDeep = "too-deep"
  case tooLarge = "too-large"
  case tooCostly = "too-costly"

  // Of documents against a JSON Schema, and of comments.
  case schemaViolation = "schema-violation"
  case unreadableUse = "unreadable-use"
  case recursiveUse = "recursive-use"
  case brokenUse = "broken-use"
  case notAPipeline = "not-a-pipeline"
  case unknownCredentials = "unknown-credentials"
  case invalidIgnore = "invalid-ignore"
  case unusedIgnore = "unused-ignore"

  // Of the shape.
  case unknownKey = "unknown-key"
  case unknownVersion = "unknown-version"
  case missingEffect = "missing-effect"
  case missingKey = "missing-key"
  case unsupportedKey = "unsupported-key"
  case conflictingKeys = "conflicting-keys"
  case wrongType = "wrong-type"
  case emptyCollection = "empty-collection"

  // Of single values.
  case invalidName = "invalid-name"
  case reservedName = "reserved-name"
  case invalidChoice = "invalid-choice"
  case outOfRange = "out-of-range"
  case invalidDuration = "invalid-duration"
  case invalidSize = "invalid-size"
  case invalidRate = "invalid-rate"
  case invalidURL = "invalid-url"
  case scalarBody = "scalar-body"
  case invalidMethod = "invalid-method"
  case invalidHeader = "invalid-header"
  case invalidTrailer = "invalid-trailer"
  case invalidXML = "invalid-xml"
  case invalidDefault = "invalid-default"
  case invalidGlob = "invalid-glob"
  case unlikelyGlob = "unlikely-glob"
  case missingSlash = "missing-slash"
  case ambiguousScalar = "ambiguous-scalar"

  // Of expressions.
  case unmarkedExpression = "unmarked-expression"
  case expressionExpected = "expression-expected"
  case expressionNotAllowed = "expression-not-allowed"
  case unclosedExpression = "unclosed-expression"
  case expressionSyntax = "expression-syntax"
  case expressionType = "expression-type"
  case invalidConstant = "invalid-constant"
  case unknownField = "unknown-field"
  case headerCase = "header-case"
  case constantCondition = "constant-condition"
  case impossibleComparison = "impossible-comparison"
  case undeclaredReference = "undeclared-reference"

  // Of names.
  case unknownInput = "unknown-input"
  case unknownStep = "unknown-step"
  case unknownOutput = "unknown-output"
  case unknownRetryPolicy = "unknown-retry-policy"
  case unknownRate = "unknown-rate"
  case unusedRate = "unused-rate"
  case duplicateID = "duplicate-id"
  case usedBeforeMade = "used-before-made"
  case outOfScope = "out-of-scope"
  case skippedOutput = "skipped-output"
  case shadowedName = "shadowed-name"
  case unusedPolicy = "unused-policy"
  case unknownFile = "unknown-file"

  // Of meaning.
  case secretInURL = "secret-in-url"
  case secretInMessage = "secret-in-message"
  case secretInFileName = "secret-in-file-name"
  case secretElement = "secret-element"
  case unprotectedSecret = "unprotected-secret"
  case hardcodedSecret = "hardcoded-secret"
  case unescapedName = "unescaped-name"
  case sharedTarget = "shared-target"
  case foreignCredential = "foreign-credential"
  case safeMethod = "safe-method"
  case unaskedProbe = "unasked-probe"
  case probeReadsSecret = "probe-reads-secret"
  case insecureURL = "insecure-url"
  case unencryptedSecret = "unencrypted-secret"
  case unsafeHeaderValue = "unsafe-header-value"
  case unsafeCreate = "unsafe-create"
  case unprovenEffect = "unproven-effect"
  case changingKey = "changing-key"
  case bodyNotAllowed = "body-not-allowed"
  case unreachableMatcher = "unreachable-matcher"
  case unreachableStep = "unreachable-step"
  case endlessStep = "endless-step"
  case repeatWithoutProgress = "repeat-without-progress"
  case misspelledName = "misspelled-name"
  case constantOutput = "constant-output"
  case unrelatedRewind = "unrelated-rewind"
  case noItem = "no-item"
  case misplacedBatch = "misplaced-batch"
  case sameForEach = "same-for-each"
  case sharedResult = "shared-result"
  case uselessKey = "useless-key"
  case unusedInput = "unused-input"
  case unusedOutput = "unused-output"

  // Of time, bytes and background transfer.
  case lifetimeWithinSkew = "lifetime-within-skew"
  case expiresBeforeUse = "expires-before-use"
  case uploadOutlivesIdentifier = "upload-outlives-identifier"
  case uploadOutlivesCredential = "upload-outlives-credential"
  case retriesDoNotFit = "retries-do-not-fit"
  case timeoutBeyondAllowance = "timeout-beyond-allowance"
  case uploadTimeoutTooShort = "upload-timeout-too-short"
  case pollBeyondAllowance = "poll-beyond-allowance"
  case beginWithoutEarliest = "begin-without-earliest"
  case challengeWithoutCredential = "challenge-without-credential"
  case signatureInQueue = "signature-in-queue"
  case secretBodyInQueue = "secret-body-in-queue"
  case diskBudgetExceeded = "disk-budget-exceeded"
  case concurrencyBeyondDisk = "concurrency-beyond-disk"
  case batchBeyondDisk = "batch-beyond-disk"
  case unusedFile = "unused-file"
  case fileHeldForRun = "file-held-for-run"
  case tooManyTransfers = "too-many-transfers"

  /// The code that `name` was probably meant to be; `nil` if none is similar.
  public static func nearest(to name: String) -> DiagnosticCode? {
    nearestName(to: name, among: allCases.map(\.rawValue)).flatMap(DiagnosticCode.init)
  }

  /// Whether the marked text could be deleted, as far as anything else in the document is concerned.
  public var isUnnecessary: Bool { Self.ofUnusedThings.contains(self) }

  private static let ofUnusedThings: Set<DiagnosticCode> = [
    .unusedAnchor, .unusedIgnore, .unusedInput, .unusedOutput, .unusedPolicy, .unusedRate,
    .unusedFile, .uselessKey, .unreachableMatcher, .unreachableStep,
  ]

  /// The usual severity of its findings.
  var severity: Diagnostic.Severity { Self.ofWarnings.contains(self) ? .warning : .error }

  private static let ofWarnings: Set<DiagnosticCode> = [
    .unusedAnchor, .invalidIgnore, .unusedIgnore, .scalarBody, .unlikelyGlob, .missingSlash,
    .ambiguousScalar, .constantCondition, .impossibleComparison, .unusedRate, .skippedOutput,
    .shadowedName, .unusedPolicy, .secretInURL, .secretInMessage, .unprotectedSecret,
    .hardcodedSecret, .unescapedName, .sharedTarget, .foreignCredential, .safeMethod, .unaskedProbe,
    .probeReadsSecret, .insecureURL, .unencryptedSecret, .unsafeHeaderValue, .unprovenEffect,
    .unreachableStep,
    .endlessStep, .repeatWithoutProgress, .misspelledName, .constantOutput, .unrelatedRewind,
    .sameForEach, .sharedResult, .unusedInput, .unusedOutput, .lifetimeWithinSkew,
    .expiresBeforeUse, .uploadOutlivesIdentifier, .uploadOutlivesCredential, .retriesDoNotFit,
    .timeoutBeyondAllowance, .uploadTimeoutTooShort, .pollBeyondAllowance, .beginWithoutEarliest,
    .challengeWithoutCredential, .signatureInQueue, .secretBodyInQueue, .concurrencyBeyondDisk,
    .batchBeyondDisk, .unusedFile, .fileHeldForRun, .tooManyTransfers,
  ]
}
