/// Why a server cannot start or a file cannot be written.
public struct DemoServerError: Error, CustomStringConvertible {
  /// What was tried.
  public let message: String
  /// The system's error number, or 0.
  public let errorNumber: Int32

  init(_ message: String, _ errorNumber: Int32 = 0) {
    (self.message, self.errorNumber) = (message, errorNumber)
  }

  /// The message with the error number.
  public var description: String {
    errorNumber == 0 ? message : "\(message) (errno \(errorNumber))"
  }
}
