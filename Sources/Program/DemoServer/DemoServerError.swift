/// Why a server cannot start or a file cannot be written.
package struct DemoServerError: Error, CustomStringConvertible {
  package let message: String
  /// The system's error number, or 0.
  package let errorNumber: Int32

  init(_ message: String, _ errorNumber: Int32 = 0) {
    (self.message, self.errorNumber) = (message, errorNumber)
  }
  package var description: String {
    errorNumber == 0 ? message : "\(message) (errno \(errorNumber))"
  }
}
