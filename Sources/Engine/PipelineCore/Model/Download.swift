/// A background transfer into a file.
public struct Download<S: Stage>: Sendable {
  /// Method, URL, headers, body and authorization; its timeout is that of ``transfer``.
  public let request: S.Request
  /// The file's name for expressions; `nil` means the last component of the path where it stays, or of the URL's path.
  public let name: S.Template?
  /// Bytes that the file must have, an int.
  public let size: S.Expression?
  /// Digests that the file must have, each algorithm once.
  public let expected: [ExpectedDigest<S>]
  /// Maximum size in bytes.
  public let maximumSize: Int64?
  /// Digests computed during the download.
  public let digests: [DigestAlgorithm]
  /// Where the file stays; `nil` if it belongs to the run, and is deleted with its item.
  public let save: Saving<S>?
  /// How the transfer service treats it.
  public let transfer: TransferOptions<S>

  /// Creates a download; the request's own timeout is ignored.
  public init(
    request: S.Request, name: S.Template? = nil, size: S.Expression? = nil,
    expected: [ExpectedDigest<S>] = [], maximumSize: Int64? = nil, digests: [DigestAlgorithm] = [],
    save: Saving<S>? = nil, transfer: TransferOptions<S> = TransferOptions()
  ) {
    self.request = S.timed(request, transfer.resourceTimeout)
    (self.name, self.size, self.expected, self.maximumSize) = (name, size, expected, maximumSize)
    (self.digests, self.save, self.transfer) = (digests, save, transfer)
  }

  /// All digests to compute, each once: those that are read, and those that are compared.
  public var allDigests: [DigestAlgorithm] {
    digests + expected.map(\.algorithm).filter { !digests.contains($0) }
  }
}

/// A digest that a file must have.
public struct ExpectedDigest<S: Stage>: Sendable {
  public let algorithm: DigestAlgorithm
  /// The digest, in hexadecimal or base64; a value that is `null` requires nothing.
  public let value: S.Template

  /// Requires a digest.
  public init(_ algorithm: DigestAlgorithm, _ value: S.Template) {
    (self.algorithm, self.value) = (algorithm, value)
  }
}

/// The treatment of an existing file in the place of a download's; the raw value is the word in documents.
public enum ExistingFile: String, Hashable, Sendable, CaseIterable {
  /// It stays, and the step fails.
  case refuse
  /// The downloaded file replaces it.
  case replace
  /// It is kept if it has the required size and digests, without a request; otherwise it is replaced.
  case update
  /// The same, and if it is kept, the item is skipped.
  case skip

  /// Whether a file with the required size and digests is kept.
  public var keepsSame: Bool { self == .update || self == .skip }
}

/// Where a downloaded file stays.
public struct Saving<S: Stage>: Sendable {
  /// The folder that the user named: an input of the type `folder`, an absolute path.
  public let folder: S.Expression
  /// The path below the folder; its folders are created.
  public let name: S.Template
  /// The treatment of an existing file.
  public let existing: ExistingFile

  /// Places a file.
  public init(folder: S.Expression, name: S.Template, existing: ExistingFile = .refuse) {
    (self.folder, self.name, self.existing) = (folder, name, existing)
  }
}

/// A download as the author wrote it.
public typealias DownloadTemplate = Download<Compiled>

extension Download: Equatable, Hashable where S == Compiled {}
extension ExpectedDigest: Equatable, Hashable where S == Compiled {}
extension Saving: Equatable, Hashable where S == Compiled {}

extension DownloadTemplate {
  var expressions: [Expression] {
    [size, save?.folder].compactMap { $0 } + [name, save?.name].flatMap { $0?.expressions ?? [] }
      + expected.flatMap(\.value.expressions)
  }
}

/// A file to download, with every expression evaluated.
public struct DownloadPlan: Hashable, Sendable {
  /// The file's name for expressions.
  public let name: String
  /// Size in bytes that it must have, if known.
  public let size: Int64?
  /// Digests that it must have, in lower-case hexadecimal.
  public let expected: [DigestAlgorithm: String]
  /// Digests to compute, including those that it must have.
  public let digests: [DigestAlgorithm]
  /// Maximum size in bytes.
  public let limit: Int64
  /// Where it stays; `nil` if it belongs to the run.
  public let save: SavePlan?

  /// Makes a plan.
  public init(
    name: String, size: Int64? = nil, expected: [DigestAlgorithm: String] = [:],
    digests: [DigestAlgorithm] = [], limit: Int64 = .max, save: SavePlan? = nil
  ) {
    (self.name, self.size, self.expected) = (name, size, expected)
    self.digests =
      digests + DigestAlgorithm.allCases.filter { expected[$0] != nil && !digests.contains($0) }
    (self.limit, self.save) = (limit, save)
  }

  /// Why digests are not those that the file must have; `nil` if they are.
  public func mismatch(_ digests: [DigestAlgorithm: String]) -> String? {
    for algorithm in DigestAlgorithm.allCases {
      guard let wanted = expected[algorithm], let found = digests[algorithm], found != wanted
      else { continue }
      return "'\(name)' has the digest \(algorithm.rawValue) \(found), expected \(wanted)"
    }
    return nil
  }
}

/// Where a downloaded file stays, with every expression evaluated.
public struct SavePlan: Hashable, Sendable {
  /// The run, which names incomplete files.
  public let run: RunID
  /// Absolute path of the folder that the user named.
  public let folder: String
  /// The components of the path below the folder, at least one; none is empty, `.` or `..`, or holds a slash or NUL.
  public let components: [String]
  /// The treatment of an existing file.
  public let existing: ExistingFile

  /// The path below the folder.
  public var name: String { components.joined(separator: "/") }
  /// The absolute path of the file.
  public var path: String { (folder == "/" ? "" : folder) + "/" + name }

  /// Places a file; `nil` if the name leads elsewhere or does not name a file.
  public init?(run: RunID, folder: String, name: String, existing: ExistingFile) {
    guard Self.problem(with: name) == nil else { return nil }
    (self.run, self.folder, self.existing) = (run, folder, existing)
    components = Self.components(name)
  }

  /// Why a name cannot be that of a file below a folder; `nil` if it can.
  ///
  /// A name may come from a server, so nothing in it is interpreted.
  public static func problem(with name: String) -> String? {
    if name.isEmpty { return "the name of the file is empty" }
    if name.utf8.contains(0) { return "the name of the file contains NUL" }
    if name.utf8.first == UInt8(ascii: "/") { return "'\(name)' is an absolute path" }
    let parts = components(name)
    if parts.contains("..") { return "'\(name)' leads outside the folder" }
    if parts.contains("") || parts.contains(".") {
      return "'\(name)' has a component that is empty or '.'"
    }
    if parts.contains(where: { $0.hasPrefix(partialPrefix) && $0.hasSuffix(partialSuffix) }) {
      return "'\(name)' is the name of an incomplete file"
    }
    return nil
  }

  private static func components(_ name: String) -> [String] {
    name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String($0) ?? "" }
  }

  /// The prefix and suffix of the names of incomplete files.
  public static let (partialPrefix, partialSuffix) = (".pipeline-", ".partial")
}
