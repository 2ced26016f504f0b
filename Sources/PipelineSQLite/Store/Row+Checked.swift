import GRDB
import PipelineEngine

/// Columns of rows that may come from a damaged file: GRDB's subscripts trap on a value of the wrong
/// type, these throw.
extension Row {
  func integer(_ column: String) throws -> Int64 {
    guard case .int64(let number)? = storage(column) else { throw unexpected(column) }
    return number
  }

  func text(_ column: String) throws -> String {
    guard case .string(let text)? = storage(column) else { throw unexpected(column) }
    return text
  }

  func blob(_ column: String) throws -> [UInt8] {
    guard case .blob(let bytes)? = storage(column) else { throw unexpected(column) }
    return Array(bytes)
  }

  func isNull(_ column: String) -> Bool {
    (self[column] as DatabaseValue?)?.isNull ?? true
  }

  private func storage(_ column: String) -> DatabaseValue.Storage? {
    (self[column] as DatabaseValue?)?.storage
  }

  private func unexpected(_ column: String) -> CheckpointCoding.Damage {
    CheckpointCoding.Damage(message: "unexpected type in the column '\(column)'")
  }
}
