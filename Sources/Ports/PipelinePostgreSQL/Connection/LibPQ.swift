#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The functions of PostgreSQL's client library, which is loaded when the first store is opened: building needs none of its headers.
struct LibPQ: Sendable {
  typealias Texts = UnsafePointer<UnsafePointer<CChar>?>?
  typealias Numbers = UnsafePointer<CInt>?
  typealias Number = @convention(c) (OpaquePointer?) -> CInt
  typealias Text = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>?
  /// A message of a channel, as the library lays it out.
  struct Notification {
    let channel: UnsafePointer<CChar>?
    let process: CInt
    let text: UnsafePointer<CChar>?
  }
  typealias Receiver = @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void

  let connect: @convention(c) (Texts, Texts, CInt) -> OpaquePointer?
  let finish, clear: @convention(c) (OpaquePointer?) -> Void
  let status, serverVersion, serverProcess, resultStatus, rows, socket, consumeInput: Number
  let errorMessage, host, port, database, changed: Text
  let execute: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> OpaquePointer?
  let prepare:
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, CInt, UnsafePointer<UInt32>?
    ) -> OpaquePointer?
  let executePrepared:
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, CInt, Texts, Numbers, Numbers, CInt
    ) -> OpaquePointer?
  let executeWithValues:
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, CInt, UnsafePointer<UInt32>?, Texts, Numbers, Numbers,
      CInt
    ) -> OpaquePointer?
  let putCopyData: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, CInt) -> CInt
  let putCopyEnd: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> CInt
  let getResult: @convention(c) (OpaquePointer?) -> OpaquePointer?
  let notification: @convention(c) (OpaquePointer?) -> UnsafeMutableRawPointer?
  let free: @convention(c) (UnsafeMutableRawPointer?) -> Void
  let setNoticeReceiver:
    @convention(c) (OpaquePointer?, Receiver?, UnsafeMutableRawPointer?) -> Receiver?
  let resultField: @convention(c) (OpaquePointer?, CInt) -> UnsafePointer<CChar>?
  let value: @convention(c) (OpaquePointer?, CInt, CInt) -> UnsafePointer<CChar>?
  let length, isNull: @convention(c) (OpaquePointer?, CInt, CInt) -> CInt

  static let loaded: Result<LibPQ, StoreFailure> = Result { () throws(StoreFailure) in
    try LibPQ(names: names)
  }

  #if canImport(Darwin)
    private static let names = [
      "libpq.5.dylib", "libpq.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    ]
  #else
    private static let names = ["libpq.so.5"]
  #endif

  init(names: [String]) throws(StoreFailure) {
    guard let library = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first else {
      throw StoreFailure(
        .system,
        message: "PostgreSQL's client library (\(names.joined(separator: ", "))) is not installed: "
          + "install the package libpq5 (Debian), or libpq (Homebrew)")
    }
    func symbol<Function>(_ name: String) throws(StoreFailure) -> Function {
      guard let address = dlsym(library, name) else {
        throw StoreFailure(
          .system,
          message: "PostgreSQL's client library has no function \(name): install a newer one")
      }
      return unsafeBitCast(address, to: Function.self)
    }
    connect = try symbol("PQconnectdbParams")
    finish = try symbol("PQfinish")
    status = try symbol("PQstatus")
    serverVersion = try symbol("PQserverVersion")
    serverProcess = try symbol("PQbackendPID")
    errorMessage = try symbol("PQerrorMessage")
    host = try symbol("PQhost")
    port = try symbol("PQport")
    database = try symbol("PQdb")
    execute = try symbol("PQexec")
    prepare = try symbol("PQprepare")
    executePrepared = try symbol("PQexecPrepared")
    executeWithValues = try symbol("PQexecParams")
    putCopyData = try symbol("PQputCopyData")
    putCopyEnd = try symbol("PQputCopyEnd")
    getResult = try symbol("PQgetResult")
    socket = try symbol("PQsocket")
    consumeInput = try symbol("PQconsumeInput")
    notification = try symbol("PQnotifies")
    free = try symbol("PQfreemem")
    setNoticeReceiver = try symbol("PQsetNoticeReceiver")
    resultStatus = try symbol("PQresultStatus")
    resultField = try symbol("PQresultErrorField")
    clear = try symbol("PQclear")
    rows = try symbol("PQntuples")
    changed = try symbol("PQcmdTuples")
    value = try symbol("PQgetvalue")
    length = try symbol("PQgetlength")
    isNull = try symbol("PQgetisnull")
  }
}
