/// The stable kebab-case name of a kind of diagnostic; made to be read after "allow …".
public enum DiagnosticCode: String, Hashable, Sendable, CaseIterable {
  // Of the YAML text.

  /// The text is not YAML; nothing after the place was read.
  case yamlSyntax = "yaml-syntax"
  /// A byte sequence is not UTF-8.
  case invalidUTF8 = "invalid-utf8"
  /// A character that YAML does not allow.
  case invalidCharacter = "invalid-character"
  /// The file holds nothing.
  case emptyDocument = "empty-document"
  /// The file holds a second document.
  case multipleDocuments = "multiple-documents"
  /// A key that stands twice in one mapping.
  case duplicateKey = "duplicate-key"
  /// A key that is no string.
  case nonStringKey = "non-string-key"
  /// The key `<<`.
  case mergeKey = "merge-key"
  /// An alias without an anchor before it.
  case undefinedAnchor = "undefined-anchor"
  /// An alias inside the node that it names.
  case recursiveAlias = "recursive-alias"
  /// An anchor that no alias uses.
  case unusedAnchor = "unused-anchor"
  /// A scalar that does not fit its tag.
  case tagMismatch = "tag-mismatch"
  /// An expression that YAML cuts apart because it is not quoted.
  case unquotedExpression = "unquoted-expression"
  /// Nesting beyond the limit.
  case tooDeep = "too-deep"
  /// A file or a tree beyond the limit.
  case tooLarge = "too-large"

  // Of documents against a JSON Schema, and of comments.

  /// A value that the JSON Schema does not allow.
  case schemaViolation = "schema-violation"
  /// A file that `use` names and that cannot be read.
  case unreadableUse = "unreadable-use"
  /// Files that use each other in a circle.
  case recursiveUse = "recursive-use"
  /// A file that `use` names and that has errors.
  case brokenUse = "broken-use"
  /// A file of definitions where a pipeline is expected.
  case notAPipeline = "not-a-pipeline"
  /// Credentials that are not defined.
  case unknownCredentials = "unknown-credentials"
  /// A comment `# pipeline: ignore[…]` that cannot be followed.
  case invalidIgnore = "invalid-ignore"
  /// A comment `# pipeline: ignore[…]` that silences nothing.
  case unusedIgnore = "unused-ignore"

  // Of the shape.

  /// A key that the construct does not have.
  case unknownKey = "unknown-key"
  /// A key that must be there is not.
  case missingKey = "missing-key"
  /// A key of the language that this version does not have.
  case unsupportedKey = "unsupported-key"
  /// Keys of which only one may stand.
  case conflictingKeys = "conflicting-keys"
  /// A list where text is expected, and the like.
  case wrongType = "wrong-type"
  /// A list or mapping that must hold something.
  case emptyCollection = "empty-collection"

  // Of single values.

  /// A name that does not follow the pattern of names.
  case invalidName = "invalid-name"
  /// A name that expressions use for something else.
  case reservedName = "reserved-name"
  /// Text that is none of the words that may stand there.
  case invalidChoice = "invalid-choice"
  /// A number outside what is allowed.
  case outOfRange = "out-of-range"
  /// Text that is no duration.
  case invalidDuration = "invalid-duration"
  /// Text that is no size.
  case invalidSize = "invalid-size"
  /// Text that is no absolute `http` or `https` URL.
  case invalidURL = "invalid-url"
  /// A JSON body that is one constant.
  case scalarBody = "scalar-body"
  /// A method that is no token (RFC 9110 §9.1).
  case invalidMethod = "invalid-method"
  /// A header whose name is no token, or whose value has a line end (RFC 9110 §5).
  case invalidHeader = "invalid-header"
  /// A default that does not fit the input's type.
  case invalidDefault = "invalid-default"
  /// A glob that cannot be read.
  case invalidGlob = "invalid-glob"
  /// A plain scalar that readers of YAML 1.1 and 1.2 understand differently.
  case ambiguousScalar = "ambiguous-scalar"

  // Of expressions.

  /// Text that looks like an expression without its marks.
  case unmarkedExpression = "unmarked-expression"
  /// Text where an expression must stand.
  case expressionExpected = "expression-expected"
  /// An expression where the text must be the same for each run.
  case expressionNotAllowed = "expression-not-allowed"
  /// `${{` without `}}`.
  case unclosedExpression = "unclosed-expression"
  /// Text between `${{` and `}}` that is not CEL.
  case expressionSyntax = "expression-syntax"
  /// An expression of the wrong type, or with an operand of the wrong type.
  case expressionType = "expression-type"
  /// A constant in an expression that can never be right, such as a broken regular expression.
  case invalidConstant = "invalid-constant"
  /// A field that a type does not have.
  case unknownField = "unknown-field"
  /// A header's name in capitals, where all are in lower case.
  case headerCase = "header-case"
  /// A condition that comes out the same whatever happens.
  case constantCondition = "constant-condition"
  /// A comparison that can never be true, or never false.
  case impossibleComparison = "impossible-comparison"
  /// A name that nothing declares.
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
  /// Two steps, or a step and a loop's variable, of one name.
  case duplicateID = "duplicate-id"
  /// A step or output that is only made later.
  case usedBeforeMade = "used-before-made"
  /// A step inside a loop, named from outside.
  case outOfScope = "out-of-scope"
  /// An output of a step that may have been skipped.
  case skippedOutput = "skipped-output"
  /// A name that hides another.
  case shadowedName = "shadowed-name"
  /// A retry policy that no step uses.
  case unusedPolicy = "unused-policy"

  /// A file that another one names and that cannot be read.
  case unknownFile = "unknown-file"

  // Of meaning.

  /// A secret in a URL or its query.
  case secretInURL = "secret-in-url"
  /// A secret in a message for the user.
  case secretInMessage = "secret-in-message"
  /// A secret in the name of a file.
  case secretInFileName = "secret-in-file-name"
  /// A secret that a loop is to go over.
  case secretElement = "secret-element"
  /// A secret in a value that is stored.
  case unprotectedSecret = "unprotected-secret"
  /// A secret that stands in the file.
  case hardcodedSecret = "hardcoded-secret"
  /// A credential that is sent to another owner's host than the one that gave it.
  case foreignCredential = "foreign-credential"
  /// A method that changes nothing where something is to be changed.
  case safeMethod = "safe-method"
  /// A probe that is never asked.
  case unaskedProbe = "unasked-probe"
  /// A probe that nobody can send after the process has ended.
  case probeReadsSecret = "probe-reads-secret"
  /// A URL without encryption to another machine.
  case insecureURL = "insecure-url"
  /// A secret that goes to another machine without encryption.
  case unencryptedSecret = "unencrypted-secret"
  /// A value in a header that a header cannot hold.
  case unsafeHeaderValue = "unsafe-header-value"
  /// A creating step that does not say how a repeat is made safe.
  case unsafeCreate = "unsafe-create"
  /// An idempotency key that does not stay the same, or is not one item's alone.
  case changingKey = "changing-key"
  /// A body with a method that has none.
  case bodyNotAllowed = "body-not-allowed"
  /// A matcher that is never reached.
  case unreachableMatcher = "unreachable-matcher"
  /// A step that comes after one that never succeeds.
  case unreachableStep = "unreachable-step"
  /// A step that no answer ends.
  case endlessStep = "endless-step"
  /// A repeat that counts as progress whatever the server says.
  case repeatWithoutProgress = "repeat-without-progress"
  /// A method or header that is nearly a known one.
  case misspeltName = "misspelt-name"
  /// A lifetime of a value that is always the same.
  case constantOutput = "constant-output"
  /// An expiry that names a step on which nothing depends.
  case unrelatedRewind = "unrelated-rewind"
  /// An outcome that needs an item, in a step of run scope.
  case noItem = "no-item"
  /// A batch that is no request for items of a loop, or whose answer is not told apart.
  case misplacedBatch = "misplaced-batch"
  /// A result of a batch that is the same for each item.
  case sharedResult = "shared-result"
  /// A key that has no effect where it stands.
  case uselessKey = "useless-key"
  /// An input that nothing reads.
  case unusedInput = "unused-input"
  /// An output that nothing reads.
  case unusedOutput = "unused-output"

  // Of time, bytes and background transfer.

  /// An output whose skew leaves nothing of its life.
  case lifetimeWithinSkew = "lifetime-within-skew"
  /// An output that is dead, or can be, before the step that reads it is done.
  case expiresBeforeUse = "expires-before-use"
  /// An upload that may wait longer than the identifier in it lives.
  case uploadOutlivesIdentifier = "upload-outlives-identifier"
  /// An upload that may wait longer than the credential in its headers lives (TX13).
  case uploadOutlivesCredential = "upload-outlives-credential"
  /// Retries that do not fit the time they are given.
  case retriesDoNotFit = "retries-do-not-fit"
  /// A short request that may take longer than the allowance of a resume (BT2).
  case timeoutBeyondAllowance = "timeout-beyond-allowance"
  /// An upload that is given less time than a transfer takes (TX7, TX8).
  case uploadTimeoutTooShort = "upload-timeout-too-short"
  /// A poll after an upload that is asked less often than the allowance is long.
  case pollBeyondAllowance = "poll-beyond-allowance"
  /// A transfer that asks for its request anew when it begins, and is not delayed (TX14).
  case beginWithoutEarliest = "begin-without-earliest"
  /// A transfer that asks at a challenge, and has no authorization that could be made anew (TX12).
  case challengeWithoutCredential = "challenge-without-credential"
  /// A signature or its time in an upload, which is sent later than it is made (TX13).
  case signatureInQueue = "signature-in-queue"
  /// Files that never fit the disk budget.
  case diskBudgetExceeded = "disk-budget-exceeded"
  /// More items at once than the disk budget has space for.
  case concurrencyBeyondDisk = "concurrency-beyond-disk"
  /// A batch whose files the disk budget has no space for.
  case batchBeyondDisk = "batch-beyond-disk"
  /// A materialized file that nothing reads.
  case unusedFile = "unused-file"
  /// A file of run scope that holds disk space after its last reader.
  case fileHeldForRun = "file-held-for-run"
  /// More queued transfers than the transfer service bears (TX20, TX21).
  case tooManyTransfers = "too-many-transfers"
}

extension DiagnosticCode {
  /// The code that `name` was probably meant to be; `nil` where none is near.
  public static func nearest(to name: String) -> DiagnosticCode? {
    nearestName(to: name, among: allCases.map(\.rawValue)).flatMap(DiagnosticCode.init)
  }
}
