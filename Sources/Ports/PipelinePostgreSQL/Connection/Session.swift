struct PostgreSQLError: Error {
  let state, message: String
}

/// One connection to a server; used by one thread at a time.
final class Session {
  private let library: LibPQ
  private let handle: OpaquePointer?
  private var prepared: [String: String] = [:]
  let place: String
  /// What makes our names mean our tables, ends idle transactions, and overrides the settings of roles and databases.
  private var settings: [String]
  /// Whether a pooler, such as PgBouncer, stands before the server: each transaction may get another session, so nothing is left in one.
  private(set) var isPooled = false
  private var isInTransaction = false
  private let notices = Notices()

  /// Defaults that an address may override: a server that has silently disappeared is noticed within about 15 s.
  private static let usual = [
    ("fallback_application_name", "pipeline"), ("connect_timeout", "10"), ("keepalives_idle", "5"),
    ("keepalives_interval", "3"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
  ]

  private final class Notices {
    var isReplicationUnknown = false
    var field: (@convention(c) (OpaquePointer?, CInt) -> UnsafePointer<CChar>?)?
  }

  init(_ library: LibPQ, address: String, schema: String) throws {
    self.library = library
    settings = [
      "search_path TO \(Self.quoted(schema)), pg_temp", "client_min_messages TO warning",
      "idle_in_transaction_session_timeout TO '10s'",
      "default_transaction_isolation TO 'read committed'",
    ]
    // Later options win. Texts are sent as UTF-8 in any environment.
    let options = Self.usual + [("dbname", address), ("client_encoding", "UTF8")]
    handle = Self.withTexts(options.map(\.0)) { keys in
      Self.withTexts(options.map(\.1)) { library.connect(keys, $0, 1) }
    }
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      pointer.map { String(cString: $0) } ?? ""
    }
    let handle = handle
    place =
      "\(text(library.host(handle))):\(text(library.port(handle)))/\(text(library.database(handle)))"
    guard library.status(handle) == 0
    else { throw PostgreSQLError(state: "", message: text(library.errorMessage(handle))) }
    notices.field = library.resultField
    _ = library.setNoticeReceiver(
      handle,
      { context, result in
        guard let context else { return }
        let notices = Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
        guard let text = notices.field?(result, Field.message).map({ String(cString: $0) })
        else { return }
        if text.hasPrefix("canceling wait for synchronous replication") {
          notices.isReplicationUnknown = true
        }
      }, Unmanaged.passUnretained(notices).toOpaque())
    let version = Int(library.serverVersion(handle))
    guard version >= 130_000 else {
      throw StoreFailure(
        .system,
        message:
          "\(place) is PostgreSQL \(version / 10000), and a store needs PostgreSQL 13 or later")
    }
    let found = try Rows(
      library,
      check(
        library.execute(handle, "SELECT pg_backend_pid(), current_setting('synchronous_commit')")))
    // A pooler reports its own number for the process that serves us.
    isPooled = try found.text(0, 0) != String(library.serverProcess(handle))
    // Acknowledged data must be on the server's disk.
    if try found.text(0, 1) == "off" { settings.append("synchronous_commit TO on") }
    if !isPooled { try run(settings.map { "SET \($0)" }.joined(separator: "; ")) }
  }

  deinit { library.finish(handle) }

  var isLost: Bool { library.status(handle) != 0 }

  var socket: Int32 { library.socket(handle) }

  /// The messages that have arrived from channels that the session listens to.
  func messages() -> [String] {
    _ = library.consumeInput(handle)
    var found: [String] = []
    while let message = library.notification(handle) {
      let text = message.assumingMemoryBound(to: LibPQ.Notification.self).pointee.text
      found.append(text.map { String(cString: $0) } ?? "")
      library.free(message)
    }
    return found
  }

  /// Whether a commit since the last call was not confirmed by the standby.
  func takeReplicationUnknown() -> Bool {
    defer { notices.isReplicationUnknown = false }
    return notices.isReplicationUnknown
  }

  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }

  func run(_ sql: String) throws { _ = try Rows(library, check(library.execute(handle, sql))) }

  /// Runs a statement, prepared at its first use; through a pooler, in a transaction and not prepared.
  @discardableResult
  func query(_ sql: String, _ parameters: [Parameter] = []) throws -> Rows {
    guard isPooled else {
      let name = try prepare(sql)
      return try with(parameters) { count, values, lengths, formats in
        library.executePrepared(handle, name, count, values, lengths, formats, 1)
      }
    }
    guard isInTransaction else { return try transaction { try query(sql, parameters) } }
    return try with(parameters) { count, values, lengths, formats in
      library.executeWithValues(handle, sql, count, nil, values, lengths, formats, 1)
    }
  }

  private func prepare(_ sql: String) throws -> String {
    if let known = prepared[sql] { return known }
    let name = "s\(prepared.count)"
    library.clear(try check(library.prepare(handle, name, sql, 0, nil)))
    prepared[sql] = name
    return name
  }

  private func with(
    _ parameters: [Parameter],
    _ execute: (CInt, LibPQ.Texts, LibPQ.Numbers, LibPQ.Numbers) -> OpaquePointer?
  ) throws -> Rows {
    var bytes: [UInt8] = []
    let offsets = parameters.map { parameter -> Int? in
      guard let value = parameter.bytes else { return nil }
      defer { bytes += value }
      return bytes.count
    }
    // An empty value is not null: its address must be one.
    bytes.append(0)
    let lengths = parameters.map { CInt($0.bytes?.count ?? 0) }
    let formats = [CInt](repeating: 1, count: parameters.count)
    let result = bytes.withUnsafeBytes { buffer in
      let start = buffer.bindMemory(to: CChar.self).baseAddress
      let values = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
      return execute(CInt(parameters.count), values, lengths, formats)
    }
    return Rows(library, try check(result))
  }

  func transaction<Answer>(
    _ isolation: String = "READ COMMITTED", with own: [String] = [], _ body: () throws -> Answer
  ) throws -> Answer {
    let settings = (isPooled ? settings : []) + own
    try run("BEGIN ISOLATION LEVEL \(isolation)" + settings.map { "; SET LOCAL \($0)" }.joined())
    isInTransaction = true
    defer { isInTransaction = false }
    do {
      let answer = try body()
      try run("COMMIT")
      return answer
    } catch {
      if !isLost { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Sends rows with `COPY … FROM STDIN (FORMAT binary)` as `body` provides them.
  func copy(_ sql: String, _ body: (_ send: ([UInt8]) throws -> Void) throws -> Void) throws {
    library.clear(try check(library.execute(handle, sql)))
    var buffer: [UInt8] =
      Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A] + [UInt8](repeating: 0, count: 9)
    func flush() throws {
      let sent = buffer.withUnsafeBytes {
        library.putCopyData(handle, $0.bindMemory(to: CChar.self).baseAddress, CInt($0.count))
      }
      guard sent == 1 else { throw failure() }
      buffer.removeAll(keepingCapacity: true)
    }
    do {
      try body { row in
        buffer += row
        if buffer.count >= 65536 { try flush() }
      }
      buffer += [0xFF, 0xFF]
      try flush()
    } catch {
      _ = library.putCopyEnd(handle, "the enumeration failed")
      while let result = library.getResult(handle) { library.clear(result) }
      throw error
    }
    guard library.putCopyEnd(handle, nil) == 1 else { throw failure() }
    var refusal: (any Error)?
    while let result = library.getResult(handle) {
      do { library.clear(try check(result)) } catch { refusal = refusal ?? error }
    }
    if let refusal { throw refusal }
  }

  private enum Field {
    static let state = CInt(UInt8(ascii: "C"))
    static let message = CInt(UInt8(ascii: "M"))
  }

  private func failure() -> PostgreSQLError {
    PostgreSQLError(
      state: "", message: library.errorMessage(handle).map { String(cString: $0) } ?? "")
  }

  /// The result, unless it is an error: 1 is a command, 2 are rows, 4 is the start of a `COPY`.
  private func check(_ result: OpaquePointer?) throws -> OpaquePointer? {
    guard let result else { throw failure() }
    if [1, 2, 4].contains(library.resultStatus(result)) { return result }
    defer { library.clear(result) }
    func field(_ field: CInt) -> String? {
      library.resultField(result, field).map { String(cString: $0) }
    }
    guard let state = field(Field.state), !isLost else { throw failure() }
    throw PostgreSQLError(state: state, message: field(Field.message) ?? "")
  }

  /// Lends null-terminated texts, and a null after the last.
  private static func withTexts<Answer>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Answer
  ) -> Answer {
    var bytes: [CChar] = []
    let offsets = texts.map { text in
      defer { bytes += text.utf8CString }
      return bytes.count
    }
    return bytes.withUnsafeBufferPointer { buffer in
      var pointers = offsets.map { buffer.baseAddress?.advanced(by: $0) }
      pointers.append(nil)
      return body(pointers)
    }
  }
}

final class Rows {
  private let library: LibPQ
  private let result: OpaquePointer?

  fileprivate init(_ library: LibPQ, _ result: OpaquePointer?) {
    (self.library, self.result) = (library, result)
  }

  deinit { library.clear(result) }

  var count: Int { Int(library.rows(result)) }
  var changed: Int { library.changed(result).flatMap { Int(String(cString: $0)) } ?? 0 }

  func bytes(_ row: Int, _ column: Int) throws -> [UInt8] {
    guard row < count, library.isNull(result, CInt(row), CInt(column)) == 0,
      let start = library.value(result, CInt(row), CInt(column))
    else { throw CheckpointCoding.Damage(message: "a column has no value") }
    let length = Int(library.length(result, CInt(row), CInt(column)))
    return Array(UnsafeRawBufferPointer(start: start, count: length))
  }

  func isNull(_ row: Int, _ column: Int) -> Bool {
    library.isNull(result, CInt(row), CInt(column)) != 0
  }

  func text(_ row: Int, _ column: Int) throws -> String {
    String(decoding: try bytes(row, column), as: UTF8.self)
  }

  func optionalText(_ row: Int, _ column: Int) throws -> String? {
    isNull(row, column) ? nil : try text(row, column)
  }

  func bool(_ row: Int, _ column: Int) throws -> Bool { try integer(row, column) != 0 }

  func integers(_ row: Int, _ column: Int) throws -> [Int] {
    let bytes = try bytes(row, column)
    // Dimensions, a flag, the type, a length and a lower bound; then each element with its length before it.
    let count = (bytes.count - 20) / 12
    guard count >= 0, bytes.count == 20 + count * 12 else {
      if bytes.count == 12 { return [] }
      throw CheckpointCoding.Damage(message: "unexpected type in a column")
    }
    return (0..<count).map { index in
      bytes[(24 + index * 12)..<(32 + index * 12)].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  /// A number of any width, in the network's order.
  func integer(_ row: Int, _ column: Int) throws -> Int {
    let bytes = try bytes(row, column)
    guard let first = bytes.first, bytes.count <= 8
    else { throw CheckpointCoding.Damage(message: "unexpected type in a column") }
    let sign = bytes.count > 1 && first >= 128 ? -1 : 0
    return bytes.reduce(sign) { $0 << 8 | Int($1) }
  }
}
