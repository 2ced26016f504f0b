public import PipelineCore
public import PipelineEngine

/// One sentence of the contract of ``CheckpointStore``, and how to find out whether a store obeys it.
///
/// A test of your own store, in any framework:
///
/// ```swift for check in StoreCheck.all {
///   let failures = await check.failures { pipeline in
///     let path = temporaryPath()
///     return StoreUnderTest(try MyStore(path, pipeline), reopened: { try MyStore(path, pipeline) })
///   }
///   for failure in failures { XCTFail(failure.description) }
/// }
/// ```
///
/// No check can cut the power: that an acknowledged batch survives it is for you to show.
public struct StoreCheck: Sendable, CustomStringConvertible {
  /// Makes a store without a run, which shares nothing with the stores made before.
  public typealias Factory = @Sendable (Pipeline) async throws -> StoreUnderTest

  /// The behavior of a store that passes.
  public let name: String
  private let body: @Sendable (StoreTrial) async throws -> Void

  init(_ name: String, _ body: @escaping @Sendable (StoreTrial) async throws -> Void) {
    (self.name, self.body) = (name, body)
  }

  /// The name.
  public var description: String { name }

  /// All checks; a store that passes them is one that runs can use.
  public static let all = runs + batches + lists + requeues + histories

  /// The faults of the stores that `make` creates; empty if there are none.
  public func failures(of make: Factory) async -> [ConformanceFailure] {
    let trial: StoreTrial
    do { trial = StoreTrial(name, try await make(Sample.pipeline)) } catch {
      return [
        ConformanceFailure(
          check: name, message: "no store was created: \(error)", fileID: #fileID,
          filePath: #filePath, line: #line)
      ]
    }
    do { try await body(trial) } catch { trial.fail("the store failed: \(error)") }
    return trial.failures
  }
}

/// A store for one check, and a way to open its stored content a second time.
public struct StoreUnderTest: Sendable {
  let store: any CheckpointStore
  let reopened: @Sendable () async throws -> any CheckpointStore

  /// A store, and the store that a later process opens in its place; without it, the same store is looked at again.
  public init(
    _ store: any CheckpointStore,
    reopened: (@Sendable () async throws -> any CheckpointStore)? = nil
  ) {
    self.store = store
    self.reopened =
      if let reopened {
        {
          await store.close()
          return try await reopened()
        }
      } else {
        { store }
      }
  }
}

/// A finding of a check: an implementation that violates its contract.
public struct ConformanceFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// Name of the check.
  public let check: String
  /// The found and the expected value.
  public let message: String
  /// Where the check looked, as `#fileID`.
  public let fileID: String
  /// Where the check looked, as `#filePath`.
  public let filePath: String
  /// The line in that file.
  public let line: Int

  /// The line, the check and its finding.
  public var description: String { "\(fileID):\(line): \(check): \(message)" }
}
