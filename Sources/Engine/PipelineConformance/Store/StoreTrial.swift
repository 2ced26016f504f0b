import PipelineCore
import PipelineEngine
import Synchronization

/// One check of one store: the calls of the check, and its findings.
final class StoreTrial: Sendable {
  let store: any CheckpointStore
  private let name: String
  private let tested: StoreUnderTest
  private let found = Mutex<[ConformanceFailure]>([])

  init(_ name: String, _ tested: StoreUnderTest) {
    (self.name, self.tested) = (name, tested)
    store = tested.store
  }

  var failures: [ConformanceFailure] { found.withLock { $0 } }
  func reopened() async throws -> any CheckpointStore { try await tested.reopened() }

  func begin(files count: Int) async throws -> Int {
    let epoch = try await store.claim()
    _ = try await store.create(Sample.state(), items: [Sample.files(count)])
    return epoch
  }

  func fail(
    _ message: String, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line
  ) {
    let failure = ConformanceFailure(
      check: name, message: message, fileID: fileID, filePath: filePath, line: line)
    found.withLock { $0.append(failure) }
  }

  func expect(
    _ holds: Bool, _ message: @autoclosure () -> String, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line
  ) { if !holds { fail(message(), fileID: fileID, filePath: filePath, line: line) } }

  func expect<Value: Equatable>(
    _ what: String, _ value: Value, is expected: Value, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line
  ) {
    guard value != expected else { return }
    let text = Self.difference(value, expected)
    fail("\(what): \(text)", fileID: fileID, filePath: filePath, line: line)
  }

  /// The fields that differ, or the whole of both where there are none.
  private static func difference(_ value: Any, _ expected: Any) -> String {
    var fields: [String] = []
    let others = Mirror(reflecting: expected)
    if others.displayStyle == .struct {
      for (field, other) in zip(Mirror(reflecting: value).children, others.children) {
        let texts = [String(describing: field.value), String(describing: other.value)]
        guard texts[0] != texts[1] else { continue }
        fields.append("\(field.label ?? "?") is \(texts[0]), expected \(texts[1])")
      }
    }
    return fields.isEmpty ? "found \(value), expected \(expected)" : fields.joined(separator: "; ")
  }

  /// Expects that `body` fails with `kind`, and returns the failure for further checks.
  @discardableResult func expectFailure(
    _ kind: StoreFailure.Kind, _ what: String, fileID: String = #fileID,
    filePath: String = #filePath, line: Int = #line, _ body: () async throws -> Void
  ) async -> StoreFailure? {
    func record(_ message: String) {
      fail("\(what): \(message)", fileID: fileID, filePath: filePath, line: line)
    }
    do {
      try await body()
      record("nothing failed, expected \(kind)")
    } catch let failure as StoreFailure {
      if failure.kind != kind {
        record("failed with \(failure.kind), expected \(kind): \(failure)")
      }
      if failure.message.hasSuffix(".") { record("the message ends with a full stop: \(failure)") }
      return failure
    } catch { record("failed with \(error), which is not a StoreFailure") }
    return nil
  }
}
