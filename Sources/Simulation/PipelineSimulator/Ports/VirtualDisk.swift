import PipelineSigning

/// The files of a simulated run: sizes and digests, and bytes only if a test provided them.
///
/// As strict as a real workspace: paths stay inside the run's folder, and a file that does not fit leaves nothing behind.
public struct VirtualDisk: Sendable {
  /// The content of a file.
  public enum Content: Hashable, Sendable {
    case bytes([UInt8])
    /// This many unspecified bytes; the text distinguishes one content from another.
    case opaque(String, size: Int64)

    /// Number of bytes.
    public var size: Int64 {
      switch self {
      case .bytes(let bytes): Int64(bytes.count)
      case .opaque(_, let size): size
      }
    }
  }

  struct WrittenFile {
    let content: Content
    /// Bytes, and ranges of the user's files.
    let pieces: [Body.Piece]
    let modified: Int64
  }

  /// Free space at the start; `nil` means no limit.
  public var capacity: Int64?
  /// Bytes per second that a materialization writes; `nil` means instantly.
  public let writeSpeed: Int64?
  private var sources: [String: (file: FileValue, content: Content)] = [:]
  private var written: [String: WrittenFile] = [:]
  /// Files in the user's folders, by absolute path.
  var saved: [String: WrittenFile] = [:]
  /// The step and item that has each file which a download leaves.
  var owners: [String: String] = [:]
  /// Bytes of files created and not deleted.
  public private(set) var used: Int64 = 0
  /// The most bytes ever in use.
  public private(set) var peak: Int64 = 0
  /// Maximum size of content kept as bytes.
  private static let knownLimit: Int64 = 1 << 20

  /// A disk without files.
  public init(capacity: Int64? = nil, writeSpeed: Int64? = nil) {
    (self.capacity, self.writeSpeed) = (capacity, writeSpeed)
  }

  /// Adds a user's file, which does not use the capacity.
  public mutating func add(_ file: FileValue, content: [UInt8]? = nil) {
    let opaque = Content.opaque("\(file.path)@\(file.modified)", size: file.size)
    sources[file.path] = (file, content.map(Content.bytes) ?? opaque)
  }

  /// Deletes a user's file.
  public mutating func remove(_ path: String) { sources[path] = nil }

  /// Paths of the files created, in order.
  public var paths: [String] { written.keys.sorted() }

  /// The duration of writing the plan's file.
  public func duration(of plan: MaterializationPlan) -> Duration {
    guard let writeSpeed, writeSpeed > 0 else { return .zero }
    return .clamped(milliseconds: Double(plan.size) / Double(writeSpeed) * 1000)
  }

  /// Writes the file that `plan` describes; see ``/PipelineEngine/FileWorkspace``.
  public mutating func materialize(
    _ plan: MaterializationPlan, at path: String, now: Instant
  ) throws(FileFailure) -> FileValue {
    guard !path.isEmpty, !path.hasPrefix("/"), !path.split(separator: "/").contains("..")
    else { throw FileFailure(.system, message: "'\(path)' is outside the run's folder") }
    let size = plan.size
    guard size <= plan.reservedBytes else {
      throw FileFailure(
        .reservationExceeded,
        message: "'\(path)' needs \(size) bytes, but \(plan.reservedBytes) are reserved")
    }
    if plan.unwritten == nil { try checkSpace(size, for: path) }
    let content = try content(of: plan.body)
    let file = Self.described(
      content, at: path, name: plan.name, contentType: plan.contentType, plan.digests,
      modified: plan.unwritten.map { $0.milliseconds &* 1_000_000 } ?? Self.nanoseconds(now))
    if plan.unwritten == nil { place(content, pieces(of: plan.body), file) }
    return file
  }

  private func checkSpace(_ size: Int64, for path: String) throws(FileFailure) {
    let replaced = written[path]?.content.size ?? 0
    guard let capacity, size > capacity - (used - replaced) else { return }
    throw FileFailure(.noSpace, message: "no space left for '\(path)'")
  }

  /// Stores a downloaded body; an unspecified body becomes a file of the size in its header, or of the planned size.
  public mutating func receiveDownload(
    _ plan: DownloadPlan, _ body: [UInt8], size: Int64? = nil, contentType: String?,
    at path: String, now: Instant
  ) throws(FileFailure) -> FileValue {
    if let save = plan.save { try checkPlace(save, for: path) }
    let unspecified = body.isEmpty ? size ?? plan.size ?? 0 : 0
    let isOpaque = unspecified > 0
    let content =
      isOpaque ? Content.opaque("download \(path)", size: unspecified) : Content.bytes(body)
    guard content.size <= plan.limit else {
      throw FileFailure(
        .reservationExceeded,
        message: "'\(plan.name)' has \(content.size) bytes, more than the limit of \(plan.limit)")
    }
    if let size = plan.size, size != content.size {
      throw FileFailure(
        .mismatch, message: "'\(plan.name)' has \(content.size) bytes, expected \(size)")
    }
    let digests = Dictionary(
      uniqueKeysWithValues: plan.digests.map { ($0, Self.digest(of: content, $0)) })
    if !isOpaque, let mismatch = plan.mismatch(digests) {
      throw FileFailure(.mismatch, message: mismatch)
    }
    try checkSpace(content.size, for: path)
    let file = Self.described(
      content, at: plan.save?.path ?? path, name: plan.name, contentType: contentType,
      plan.digests, modified: Self.nanoseconds(now))
    if plan.save == nil {
      place(content, [.bytes(body)], file)
    } else {
      saved[file.path] = WrittenFile(
        content: content, pieces: [.bytes(body)], modified: file.modified)
    }
    guard isOpaque, !plan.expected.isEmpty else { return file }
    // Unspecified content counts as the expected one.
    return FileValue(
      path: file.path, name: file.name, size: file.size, modified: file.modified,
      contentType: contentType, digests: file.digests.merging(plan.expected) { $1 })
  }

  private static func nanoseconds(_ now: Instant) -> Int64 {
    let (nanoseconds, overflow) = now.milliseconds.multipliedReportingOverflow(by: 1_000_000)
    return overflow ? .max : nanoseconds
  }

  private mutating func place(_ content: Content, _ pieces: [Body.Piece], _ file: FileValue) {
    used += content.size - (written[file.path]?.content.size ?? 0)
    peak = max(peak, used)
    written[file.path] = WrittenFile(content: content, pieces: pieces, modified: file.modified)
  }

  private static func described(
    _ content: Content, at path: String, name: String, contentType: String?,
    _ digests: [DigestAlgorithm], modified: Int64
  ) -> FileValue {
    FileValue(
      path: path, name: name, size: content.size, modified: modified, contentType: contentType,
      digests: Dictionary(
        digests.map { ($0, digest(of: content, $0)) }, uniquingKeysWith: { first, _ in first }))
  }

  private static func digest(of content: Content, _ algorithm: DigestAlgorithm) -> String {
    switch content {
    case .bytes(let bytes): ContentDigest.of(bytes, algorithm)
    case .opaque(let identity, _): ContentDigest.of(Array(identity.utf8), algorithm)
    }
  }

  /// The body's bytes and ranges of the user's files; files that the run created are replaced by their parts.
  public func pieces(of body: Body) -> [Body.Piece] {
    body.pieces.flatMap { piece -> [Body.Piece] in
      guard case .file(let file, let offset, let length) = piece, let made = written[file.path]
      else { return [piece] }
      return Body(made.pieces).slice(from: offset, length: length).pieces
    }
  }

  /// The digest of a body in lower-case hexadecimal, if its files still are those that it describes.
  public func digest(of body: Body, _ algorithm: DigestAlgorithm) throws(FileFailure) -> String {
    Self.digest(of: try content(of: body), algorithm)
  }

  /// The content of a body, if its files still are those that it describes.
  public func content(of body: Body) throws(FileFailure) -> Content {
    if body.pieces.count == 1, case .file(let file, 0, let length) = body.pieces[0],
      length == file.size
    {
      return try content(of: file)
    }
    var known: [UInt8]? = []
    var identity = ""
    for piece in body.pieces {
      switch piece {
      case .bytes(let bytes):
        known? += bytes
        identity += "bytes(\(ContentDigest.of(bytes, .sha256)))"
      case .file(let file, let offset, let length):
        switch try content(of: file) {
        case .bytes(let bytes):
          let part = bytes.dropFirst(Int(clamping: offset)).prefix(Int(clamping: length))
          known? += part
          identity += "bytes(\(ContentDigest.of(Array(part), .sha256)))"
        case .opaque(let name, _):
          known = nil
          identity += "\(name)[\(offset)+\(length)]"
        }
      }
    }
    if let known, Int64(known.count) <= Self.knownLimit { return .bytes(known) }
    return .opaque(identity, size: body.size)
  }

  /// The content of a file, if it still is the one that `file` describes.
  public func content(of file: FileValue) throws(FileFailure) -> Content {
    let isAbsolute = file.path.hasPrefix("/")
    let made = saved[file.path] ?? (isAbsolute ? nil : written[file.path])
    let source = isAbsolute ? sources[file.path] : nil
    guard let content = made?.content ?? source?.content
    else { throw FileFailure(.missing, message: "'\(file.path)' is gone", source: file.path) }
    guard (made?.content.size ?? source?.file.size) == file.size,
      (made?.modified ?? source?.file.modified) == file.modified
    else { throw FileFailure(.changed, message: "'\(file.path)' has changed", source: file.path) }
    return content
  }

  /// Deletes the file `path`, if it exists.
  public mutating func discard(_ path: String) {
    if let made = written.removeValue(forKey: path) { used -= made.content.size }
  }

  /// Deletes all created files except those at `kept`; returns the number of deleted files.
  @discardableResult public mutating func sweep(keeping kept: Set<String>) -> Int {
    let orphans = written.keys.filter { !kept.contains($0) }
    for path in orphans { discard(path) }
    return orphans.count
  }

  /// Paths of the files that downloads have left, in order.
  public var savedPaths: [String] { saved.filter { owners[$0.key] != nil }.map(\.key).sorted() }

  /// Adds a file that exists before the run, at an absolute path.
  public mutating func addSaved(_ file: FileValue, content: [UInt8]? = nil) {
    saved[file.path] = WrittenFile(
      content: content.map(Content.bytes) ?? .opaque(file.path, size: file.size), pieces: [],
      modified: file.modified)
  }

  /// The file that is in its place already; see ``/PipelineEngine/FileWorkspace``.
  public mutating func present(
    _ plan: DownloadPlan, at path: String
  ) throws(FileFailure) -> FileValue? {
    guard let save = plan.save, save.existing.keepsSame,
      plan.size != nil || !plan.expected.isEmpty
    else { return nil }
    try claim(save, for: path)
    guard let there = saved[save.path], plan.size == nil || plan.size == there.content.size
    else { return nil }
    let file = Self.described(
      there.content, at: save.path, name: plan.name, contentType: nil, plan.digests,
      modified: there.modified)
    return plan.mismatch(file.digests) == nil ? file : nil
  }

  /// Why a file must not be put in its planned place; see ``/PipelineEngine/FileWorkspace``.
  mutating func checkPlace(_ save: SavePlan, for path: String) throws(FileFailure) {
    let isOurs = owners[save.path] == path
    try claim(save, for: path)
    guard save.existing == .refuse, saved[save.path] != nil, !isOurs else { return }
    throw FileFailure(
      .refused,
      message:
        "'\(save.path)' exists already; 'existing: replace' or 'existing: update' would replace it")
  }

  private mutating func claim(_ save: SavePlan, for path: String) throws(FileFailure) {
    if let owner = owners[save.path], owner != path {
      let item = Evaluator.item(ofPath: owner).map { "item \($0)" } ?? "a step of the run"
      throw FileFailure(
        .refused, message: "'\(save.name)' in '\(save.folder)' is also the file of \(item)")
    }
    // A folder on the path of a file is invalid if it is a file itself.
    for count in save.components.indices.dropFirst() {
      let folder = save.folder + "/" + save.components[..<count].joined(separator: "/")
      if saved[folder] != nil {
        throw FileFailure(.refused, message: "'\(folder)' is not a folder")
      }
    }
    owners[save.path] = path
  }
}
