/// A message of JSON-RPC 2.0, as used by the Language Server Protocol.
public enum Message: Hashable, Sendable {
  /// The identifier of a request: a number or a string, chosen by the sender.
  public enum ID: Hashable, Sendable {
    case number(Int)
    case string(String)
  }

  case request(ID, method: String, params: Value)
  case notification(method: String, params: Value)
  /// A response; without an identifier if the request could not be read.
  case response(ID?, Result<Value, ResponseError>)

  /// Reads one message from UTF-8 JSON, or throws the error response.
  public init(_ bytes: [UInt8]) throws(ResponseFailure) {
    guard let value = try? Value(json: bytes, maximumDepth: 512)
    else { throw ResponseFailure(id: nil, error: .parseError("the message is not JSON")) }
    try self.init(value)
  }

  private init(_ value: Value) throws(ResponseFailure) {
    guard let members = value.mapValue else {
      throw ResponseFailure(id: nil, error: .invalidRequest("a message must be a JSON object"))
    }
    let id = members["id"].flatMap(ID.init)
    func refuse(_ reason: String) -> ResponseFailure {
      ResponseFailure(id: id, error: .invalidRequest(reason))
    }
    guard members["jsonrpc"] == "2.0" else { throw refuse("'jsonrpc' must be \"2.0\"") }
    guard let method = members["method"] else {
      guard members["result"] != nil || members["error"] != nil
      else { throw refuse("a message must have a 'method' or be a response") }
      self = .response(id, .success(members["result"] ?? .null))
      return
    }
    guard let name = method.stringValue else { throw refuse("'method' must be a string") }
    let params = members["params"] ?? .null
    switch params {
    case .map, .list, .null: break
    default: throw refuse("'params' must be an object or an array")
    }
    guard members["id"] != nil else {
      self = .notification(method: name, params: params)
      return
    }
    guard let id else { throw refuse("'id' must be a string or an integer") }
    self = .request(id, method: name, params: params)
  }

  /// The message as UTF-8 JSON.
  public var bytes: [UInt8] {
    var members = MapValue([("jsonrpc", "2.0")])
    switch self {
    case .request(let id, let method, let params):
      members["id"] = id.json
      members["method"] = .string(method)
      if params != .null { members["params"] = params }
    case .notification(let method, let params):
      members["method"] = .string(method)
      if params != .null { members["params"] = params }
    case .response(let id, .success(let result)):
      members["id"] = id?.json ?? .null
      members["result"] = result
    case .response(let id, .failure(let error)):
      members["id"] = id?.json ?? .null
      members["error"] = ["code": Value(error.code.rawValue), "message": .string(error.message)]
    }
    return Array(Value.map(members).jsonText().utf8)
  }
}

extension Message.ID {
  init?(_ value: Value) {
    if let text = value.stringValue {
      self = .string(text)
    } else if let number = value.int {
      self = .number(number)
    } else {
      return nil
    }
  }

  var json: Value {
    switch self {
    case .number(let number): Value(number)
    case .string(let text): .string(text)
    }
  }
}

/// Why a request has no result.
public struct ResponseError: Error, Hashable, Sendable {
  /// The kinds of failure, with their numbers (JSON-RPC 2.0 section 5.1; LSP 3.17 "ErrorCodes").
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case serverNotInitialized = -32002
    case requestFailed = -32803
    case requestCancelled = -32800
  }

  /// The kind of failure.
  public let code: Code
  /// One sentence for the user.
  public let message: String

  static func parseError(_ message: String) -> Self { Self(code: .parseError, message: message) }

  static func invalidRequest(_ message: String) -> Self {
    Self(code: .invalidRequest, message: message)
  }

  static func invalidParams(_ message: String) -> Self {
    Self(code: .invalidParams, message: message)
  }

  static func failed(_ message: String) -> Self { Self(code: .requestFailed, message: message) }
}

/// An error, with the request that it responds to if that could be read.
public struct ResponseFailure: Error, Hashable, Sendable {
  /// The request; `nil` if its identifier could not be read.
  public let id: Message.ID?
  public let error: ResponseError
}

extension Value {
  package subscript(_ names: String...) -> Value? {
    names.reduce(self) { value, name in value?.mapValue?[name] }
  }

  /// The number, if it is whole: some clients write `1.0`.
  package var int: Int? {
    intValue.flatMap { Int(exactly: $0) } ?? doubleValue.flatMap { Int(exactly: $0) }
  }

  package init(_ number: Int) { self = .int(Int64(number)) }
}
