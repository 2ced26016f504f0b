public import CEL

/// Where one step of one frame stands.
public struct StepState: Hashable, Sendable {
  /// The states of a step.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    /// Not begun in this generation, or to be issued again. Can transition to: queued, running,
    /// probing, skipped.
    case pending
    /// Stands in the line for a batch, since ``StepState/since``. Can transition to: running,
    /// pending.
    case queued
    /// An attempt is demanded and not answered. Can transition to: pending, unknown, succeeded.
    case running
    /// A probe is demanded and not answered. Can transition to: pending, unknown, succeeded.
    case probing
    /// The server may have taken the last attempt; the probe must tell. Can transition to:
    /// probing, pending.
    case unknown
    /// Answered well; the result may have died since, see ``isDead``. Can transition to: pending.
    case succeeded
    /// Its condition was false. Can transition to: pending.
    case skipped
  }

  /// Where the step stands.
  public var status: Status = .pending
  /// Raised each time the step is issued anew because its result died; begins at 1 with the first
  /// issue.
  public var generation = 0
  /// Issues of this generation so far, interrupted ones too.
  public var attempt = 0
  /// Failed attempts that count toward the policy's limit; progress sets it back.
  public var failures = 0
  /// Times the result died in this item (run scope: since something last succeeded with it).
  public var reissues = 0
  /// Whether the result was found dead, by the clock or by the server.
  public var isDead = false
  /// When the status last changed.
  public var since = Instant(milliseconds: 0)
  /// When the first attempt of this generation was issued.
  public var begun: Instant?
  /// Not to be issued before: back-off, `Retry-After` or a poll's interval.
  public var notBefore: Instant?
  /// Not to be begun by the transfer service before, where the step leaves that to it; stays with
  /// later generations.
  public var earliest: Instant?
  /// Challenges of this attempt that were answered with another authorization.
  public var challenges = 0
  /// Why the last attempt did not succeed.
  public var failure: Failure?
  /// Statuses of the generation's answers, oldest first, at most ``historyLimit``.
  public var statuses: [Int] = []
  /// Values of the step's declared outputs, in their order; empty unless succeeded.
  public var outputs: [OutputValue] = []
  /// The file a materialization made.
  public var file: FileValue?
  /// Generations of the results this one was made from, in the order of the step's identifying
  /// uses.
  public var sources: [Int] = []
  /// Bytes of the disk budget held for the step's file.
  public var reservedBytes: Int64 = 0
  /// The batch that the item was sent in and whose result is not known.
  public var batch: BatchMembership?

  /// A step that has not begun.
  public init() {}

  /// Answers that ``statuses`` keeps at most.
  public static let historyLimit = 16
  /// Whether an effect is demanded and not answered.
  public var isInFlight: Bool { status == .running || status == .probing }
}

/// Why an attempt did not succeed; holds no secret and no byte of a body.
public struct Failure: Hashable, Sendable {
  /// What went wrong, for people, without a final stop.
  public let message: String
  /// HTTP status of the answer, where there was one.
  public let status: Int?

  /// Describes a failure.
  public init(_ message: String, status: Int? = nil) {
    self.message = message
    self.status = status
  }
}

/// The value of an output.
public struct OutputValue: Hashable, Sendable {
  /// The value; `nil` where it was secret and the process that held it is gone.
  public let value: Value?
  /// Whether the value stays out of the store.
  public let isSecret: Bool
  /// End of life on our clock.
  public let expires: Instant?
  /// From here on the value is not used any more: ``expires`` less the skew.
  public let staleFrom: Instant?

  /// Makes a value.
  public init(
    value: Value?, isSecret: Bool = false, expires: Instant? = nil, staleFrom: Instant? = nil
  ) {
    self.value = value
    self.isSecret = isSecret
    self.expires = expires
    self.staleFrom = staleFrom
  }

  /// The value as the store may hold it.
  public var redacted: OutputValue {
    isSecret
      ? OutputValue(value: nil, isSecret: true, expires: expires, staleFrom: staleFrom) : self
  }

  /// Whether the value is there and will live for `need` more after `now`.
  public func isAlive(at now: Instant, for need: Duration = .zero) -> Bool {
    guard value != nil else { return false }
    guard let staleFrom else { return true }
    return now + need < staleFrom
  }
}

/// A file as expressions see it.
public struct FileValue: Hashable, Sendable {
  /// Absolute for a user's file, relative to the run's folder for a materialized one.
  public let path: String
  /// Last component of the path, or the name that a server should see.
  public let name: String
  /// Bytes.
  public let size: Int64
  /// Last modification in nanoseconds since 1970 UTC; tells a changed file.
  public let modified: Int64
  /// Media type, where it is known.
  public let contentType: String?
  /// Lower-case hexadecimal digests, where they were taken.
  public let digests: [DigestAlgorithm: String]

  /// Describes a file.
  public init(
    path: String, name: String, size: Int64, modified: Int64, contentType: String? = nil,
    digests: [DigestAlgorithm: String] = [:]
  ) {
    self.path = path
    self.name = name
    self.size = size
    self.modified = modified
    self.contentType = contentType
    self.digests = digests
  }

  /// The file as a CEL map with the fields of the object type `File`.
  public var value: Value {
    var pairs: [(String, Value)] = [
      ("path", .string(path)), ("name", .string(name)),
      ("extension", .string(Self.fileExtension(of: name))), ("size", .int(size)),
      ("modified", .timestamp(Timestamp(clamping: modified, unitsPerSecond: 1_000_000_000))),
    ]
    // Expressions are promised every field; RFC 9110 §8.3 has this type for what is not known.
    pairs.append(("content_type", .string(contentType ?? "application/octet-stream")))
    for algorithm in DigestAlgorithm.allCases {
      if let digest = digests[algorithm] { pairs.append((algorithm.rawValue, .string(digest))) }
    }
    return .map(MapValue(pairs))
  }

  /// Reads a file back from the map that ``value`` gives; `nil` where a field is missing or of
  /// another type.
  public init?(_ value: Value) {
    guard case .map(let map) = value, case .string(let path)? = map["path"],
      case .string(let name)? = map["name"], case .int(let size)? = map["size"],
      case .timestamp(let modified)? = map["modified"]
    else { return nil }
    var digests: [DigestAlgorithm: String] = [:]
    for algorithm in DigestAlgorithm.allCases {
      if case .string(let digest)? = map[algorithm.rawValue] { digests[algorithm] = digest }
    }
    var contentType: String?
    if case .string(let type)? = map["content_type"] { contentType = type }
    self.init(
      path: path, name: name, size: size,
      modified: modified.seconds &* 1_000_000_000 &+ Int64(modified.nanoseconds),
      contentType: contentType, digests: digests)
  }

  private static func fileExtension(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return String(name[name.index(after: dot)...])
  }
}
