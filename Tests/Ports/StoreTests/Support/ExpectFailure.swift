import PipelineEngine
import Testing

/// Expects that `body` fails with `kind`, and returns the failure for further checks.
@discardableResult
func expectFailure(
  _ kind: StoreFailure.Kind, sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async -> StoreFailure? {
  do {
    try await body()
    Issue.record("nothing failed, expected \(kind)", sourceLocation: sourceLocation)
  } catch let failure as StoreFailure {
    #expect(failure.kind == kind, "\(failure)", sourceLocation: sourceLocation)
    #expect(!failure.message.hasSuffix("."), sourceLocation: sourceLocation)
    return failure
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
  return nil
}
