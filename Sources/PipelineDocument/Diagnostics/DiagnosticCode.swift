/// The stable kebab-case name of a kind of diagnostic, which can be read after "allow …".
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
  // Of the YAML text.

  /// The text is not YAML; nothing after the position was read.
  case yamlSyntax = "yaml-syntax"
  /// A byte sequence is not UTF-8.
  case invalidUTF8 = "invalid-utf8"
  /// A character that YAML does not allow.
  case invalidCharacter = "invalid-character"
  /// The file contains no document.
  case emptyDocument = "empty-document"
  /// The file contains a second document.
  case multipleDocuments = "multiple-documents"
  /// A key that appears twice in one mapping.
  case duplicateKey = "duplicate-key"
  /// A key that is not a string.
  case nonStringKey = "non-string-key"
  /// The key `<<`.
  case mergeKey = "merge-key"
  /// An alias without an anchor before it.
  case undefinedAnchor = "undefined-anchor"
  /// An alias inside the node that it names.
  case recursiveAlias = "recursive-alias"
  /// An anchor that no alias uses.
  case unusedAnchor = "unused-anchor"
  /// A scalar that does not match its tag.
  case tagMismatch = "tag-mismatch"
  /// An unquoted expression that YAML splits.
  case unquotedExpression = "unquoted-expression"
  /// Nesting beyond the limit.
  case tooDeep = "too-deep"
  /// A file or a tree beyond the limit.
  case tooLarge = "too-large"

  // Of documents against a JSON Schema, and of comments.

  /// A value that the JSON Schema does not allow.
  case schemaViolation = "schema-violation"
  /// A file named by `use` that cannot be read.
  case unreadableUse = "unreadable-use"
  /// Files that use each other in a cycle.
  case recursiveUse = "recursive-use"
  /// A file named by `use` that has errors.
  case brokenUse = "broken-use"
  /// A file of definitions where a pipeline is expected.
  case notAPipeline = "not-a-pipeline"
  /// Credentials that are not defined.
  case unknownCredentials = "unknown-credentials"
  /// An invalid comment `# pipeline: ignore[…]`.
  case invalidIgnore = "invalid-ignore"
  /// A comment `# pipeline: ignore[…]` without effect.
  case unusedIgnore = "unused-ignore"

  // Of the shape.

  /// A key that the construct does not have.
  case unknownKey = "unknown-key"
  /// A word that an earlier version of the language used.
  case formerWord = "former-word"
  /// A version of the language that this program does not know.
  case unknownVersion = "unknown-version"
  /// A POST or PATCH with outputs that does not say what a repeat does.
  case missingEffect = "missing-effect"
  /// A required key is missing.
  case missingKey = "missing-key"
  /// A reserved key that this version does not support.
  case unsupportedKey = "unsupported-key"
  /// Keys that exclude each other.
  case conflictingKeys = "conflicting-keys"
  /// A list where text is expected, and the like.
  case wrongType = "wrong-type"
  /// An empty list or mapping that needs an entry.
  case emptyCollection = "empty-collection"

  // Of single values.

  /// An invalid name.
  case invalidName = "invalid-name"
  /// A name with another meaning in expressions.
  case reservedName = "reserved-name"
  /// Text that is not one of the allowed words.
  case invalidChoice = "invalid-choice"
  /// A number out of range.
  case outOfRange = "out-of-range"
  /// An invalid duration.
  case invalidDuration = "invalid-duration"
  /// An invalid size.
  case invalidSize = "invalid-size"
  /// Text that is not a number of requests in a time.
  case invalidRate = "invalid-rate"
  /// Text that is not an absolute `http` or `https` URL.
  case invalidURL = "invalid-url"
  /// A JSON body that is a constant.
  case scalarBody = "scalar-body"
  /// A method that is not a token (RFC 9110 §9.1).
  case invalidMethod = "invalid-method"
  /// A header with an invalid name, or with a line break in its value (RFC 9110 §5).
  case invalidHeader = "invalid-header"
  /// A field that cannot follow a body, or a digest in it that is not alone.
  case invalidTrailer = "invalid-trailer"
  /// Text under `xml` that is not XML, or an expression in a place where XML can hold none.
  case invalidXML = "invalid-xml"
  /// A default that does not match the input's type.
  case invalidDefault = "invalid-default"
  /// An invalid glob.
  case invalidGlob = "invalid-glob"
  /// A glob with signs that it does not know, such as `$HOME`, `~` in a file, or typographic quotes.
  case unlikelyGlob = "unlikely-glob"
  /// No slash between the server and the path of a URL.
  case missingSlash = "missing-slash"
  /// A plain scalar that readers of YAML 1.1 and 1.2 understand differently.
  case ambiguousScalar = "ambiguous-scalar"

  // Of expressions.

  /// Text that looks like an expression without its marks.
  case unmarkedExpression = "unmarked-expression"
  /// Text where an expression is required.
  case expressionExpected = "expression-expected"
  /// An expression where constant text is required.
  case expressionNotAllowed = "expression-not-allowed"
  /// `${{` without `}}`.
  case unclosedExpression = "unclosed-expression"
  /// Text between `${{` and `}}` that is not CEL.
  case expressionSyntax = "expression-syntax"
  /// An expression of the wrong type, or with an operand of the wrong type.
  case expressionType = "expression-type"
  /// An invalid constant in an expression, such as a broken regular expression.
  case invalidConstant = "invalid-constant"
  /// A field that a type does not have.
  case unknownField = "unknown-field"
  /// A header name with capital letters, where all names are in lower case.
  case headerCase = "header-case"
  /// A condition with a constant value.
  case constantCondition = "constant-condition"
  /// A comparison with a constant value.
  case impossibleComparison = "impossible-comparison"
  /// An undeclared name.
  case undeclaredReference = "undeclared-reference"

  // Of names.

  /// An input that is not declared.
  case unknownInput = "unknown-input"
  /// A step that does not exist.
  case unknownStep = "unknown-step"
  /// An output that the step does not have.
  case unknownOutput = "unknown-output"
  /// A retry policy that is not declared.
  case unknownRetryPolicy = "unknown-retry-policy"
  /// A rate that is not declared.
  case unknownRate = "unknown-rate"
  /// A rate that no request counts towards.
  case unusedRate = "unused-rate"
  /// Two steps, or a step and a loop variable, with the same name.
  case duplicateID = "duplicate-id"
  /// A step or output that is made later.
  case usedBeforeMade = "used-before-made"
  /// A step inside a loop, referenced from outside.
  case outOfScope = "out-of-scope"
  /// An output of a step that may have been skipped.
  case skippedOutput = "skipped-output"
  /// A name that hides another.
  case shadowedName = "shadowed-name"
  /// A retry policy that no step uses.
  case unusedPolicy = "unused-policy"

  /// A referenced file that cannot be read.
  case unknownFile = "unknown-file"

  // Of meaning.

  /// A secret in a URL or its query.
  case secretInURL = "secret-in-url"
  /// A secret in a message for the user.
  case secretInMessage = "secret-in-message"
  /// A secret in a file name.
  case secretInFileName = "secret-in-file-name"
  /// A secret in the elements of a loop.
  case secretElement = "secret-element"
  /// A secret in a value that is stored.
  case unprotectedSecret = "unprotected-secret"
  /// A secret that is written in the file.
  case hardcodedSecret = "hardcoded-secret"
  /// A file's name in a URL as it is.
  case unescapedName = "unescaped-name"
  /// Several items that are stored under one URL.
  case sharedTarget = "shared-target"
  /// A credential that is sent to a host of a different domain.
  case foreignCredential = "foreign-credential"
  /// A safe method used for a change.
  case safeMethod = "safe-method"
  /// A probe that is never sent.
  case unaskedProbe = "unasked-probe"
  /// A probe that cannot be sent after the process has ended.
  case probeReadsSecret = "probe-reads-secret"
  /// An unencrypted URL of another machine.
  case insecureURL = "insecure-url"
  /// A secret that is sent to another machine without encryption.
  case unencryptedSecret = "unencrypted-secret"
  /// A header value with characters that headers cannot carry.
  case unsafeHeaderValue = "unsafe-header-value"
  /// A creating step whose repeat is not safe.
  case unsafeCreate = "unsafe-create"
  /// An idempotency key that changes, or is shared by items.
  case changingKey = "changing-key"
  /// A body with a method that does not allow one.
  case bodyNotAllowed = "body-not-allowed"
  /// A matcher that is never reached.
  case unreachableMatcher = "unreachable-matcher"
  /// A step after one that never succeeds.
  case unreachableStep = "unreachable-step"
  /// A step that no response ends.
  case endlessStep = "endless-step"
  /// A retry that counts as progress whatever the response.
  case repeatWithoutProgress = "repeat-without-progress"
  /// A method or header that looks misspelt.
  case misspeltName = "misspelt-name"
  /// A constant output, or a lifetime of one.
  case constantOutput = "constant-output"
  /// An `expired` entry for a step that this one does not depend on.
  case unrelatedRewind = "unrelated-rewind"
  /// An outcome that needs an item, in a run-level step.
  case noItem = "no-item"
  /// A batch outside a loop, without a request, or without results.
  case misplacedBatch = "misplaced-batch"
  /// A request in an inner loop that is the same for each part.
  case sameForEach = "same-for-each"
  /// A batch result that is the same forevery item.
  case sharedResult = "shared-result"
  /// A key without effect.
  case uselessKey = "useless-key"
  /// An unused input.
  case unusedInput = "unused-input"
  /// An unused output.
  case unusedOutput = "unused-output"

  // Of time, bytes and background transfer.

  /// An output whose skew is as long as its lifetime.
  case lifetimeWithinSkew = "lifetime-within-skew"
  /// An output that expires, or can expire, before the step that reads it finishes.
  case expiresBeforeUse = "expires-before-use"
  /// An upload that may wait longer than the identifier in it is valid.
  case uploadOutlivesIdentifier = "upload-outlives-identifier"
  /// An upload that may wait longer than the credential in its headers is valid (TX13).
  case uploadOutlivesCredential = "upload-outlives-credential"
  /// Retries that do not fit the time available.
  case retriesDoNotFit = "retries-do-not-fit"
  /// A short request that may take longer than the allowance of a resume (BT2).
  case timeoutBeyondAllowance = "timeout-beyond-allowance"
  /// An upload that is given less time than a transfer takes (TX7, TX8).
  case uploadTimeoutTooShort = "upload-timeout-too-short"
  /// A poll after an upload whose interval is longer than the allowance.
  case pollBeyondAllowance = "poll-beyond-allowance"
  /// A transfer that renews its request when it begins, but is not delayed (TX14).
  case beginWithoutEarliest = "begin-without-earliest"
  /// A transfer that renews its request on a challenge, but has no renewable authorization (TX12).
  case challengeWithoutCredential = "challenge-without-credential"
  /// A signature or timestamp in an upload that is sent later than it is made (TX13).
  case signatureInQueue = "signature-in-queue"
  /// Files that never fit the disk budget.
  case diskBudgetExceeded = "disk-budget-exceeded"
  /// More items at once than the disk budget has space for.
  case concurrencyBeyondDisk = "concurrency-beyond-disk"
  /// A batch whose files the disk budget has no space for.
  case batchBeyondDisk = "batch-beyond-disk"
  /// A materialized file that nothing reads.
  case unusedFile = "unused-file"
  /// A run-level file that holds disk space after its last reader.
  case fileHeldForRun = "file-held-for-run"
  /// More queued transfers than the transfer service can handle (TX20, TX21).
  case tooManyTransfers = "too-many-transfers"
}

extension DiagnosticCode {
  /// The code that `name` was probably meant to be; `nil` if none is similar.
  public static func nearest(to name: String) -> DiagnosticCode? {
    nearestName(to: name, among: allCases.map(\.rawValue)).flatMap(DiagnosticCode.init)
  }
}

extension DiagnosticCode {
  /// Whether what it marks could be deleted, as far as anything else in the document is concerned.
  public var isUnnecessary: Bool { Self.ofUnusedThings.contains(self) }

  private static let ofUnusedThings: Set<DiagnosticCode> = [
    .unusedAnchor, .unusedIgnore, .unusedInput, .unusedOutput, .unusedPolicy, .unusedRate,
    .unusedFile, .uselessKey, .unreachableMatcher, .unreachableStep,
  ]

  /// Whether what it marks is a word of an earlier version of the language.
  public var isDeprecation: Bool { self == .formerWord }
}
