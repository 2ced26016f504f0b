/// What a check found: an implementation that does not do what its contract says.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Name of the check.
  public let check: String
  /// What was found, and what was expected.
  public let message: String
  /// Where the check looked, as `#fileID` says it.
  public let fileID: String
  /// Where the check looked, as `#filePath` says it.
  public let filePath: String
  /// The line in that file.
  public let line: Int

  /// The line, the check and what it found.
  public var description: String { "\(fileID):\(line): \(check): \(message)" }
}
