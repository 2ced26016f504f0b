import PipelineConformance
import Testing

/// Each check finds a store that breaks what it checks.
struct BrokenStoreTests {
  @Test func `there is a mistake for each check`() {
    #expect(StoreMistake.allCases.map(\.rawValue).sorted() == StoreCheck.all.map(\.name).sorted())
  }

  @Test(arguments: StoreMistake.allCases)
  func `a check finds the mistake made for it`(_ mistake: StoreMistake) async throws {
    let check = try #require(StoreCheck.all.first { $0.name == mistake.rawValue })
    let failures = await check.failures { StoreUnderTest(BrokenStore(mistake, $0)) }
    let failure = try #require(failures.first, "nothing was found")
    #expect(failure.check == check.name)
    #expect(failure.fileID.hasPrefix("PipelineConformance/StoreCheck"))
    #expect(failure.description.contains("\(failure.line): \(check.name): "))
  }
}
