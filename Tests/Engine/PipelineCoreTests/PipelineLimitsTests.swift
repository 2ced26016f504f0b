import PipelineCore
import Testing

/// The limits of the command line, against those of the file.
struct PipelineLimitsTests {
  private static func pipeline(_ budgets: Budgets) -> Pipeline {
    Pipeline(
      name: "a", description: nil, inputs: [], budgets: budgets, nodes: [], steps: [], loops: [])
  }

  private static func rate(_ requests: Int, _ period: Duration) -> Rate {
    Rate(name: Rate.ofAllRequests, requests: requests, period: period)
  }

  @Test func `without limits it is the same`() {
    let budgets = Budgets(rates: [Self.rate(5, .seconds(1))], bytesPerSecond: 7)
    let same = Self.pipeline(budgets)
      .limited(concurrency: nil, bytesPerSecond: nil, requests: nil)
    #expect(same.budgets == budgets)
  }

  @Test(arguments: [(nil, 5, 5), (7, 5, 5), (5, 7, 5)] as [(Int64?, Int64, Int64)])
  func `the smaller number of bytes counts`(_ own: Int64?, _ given: Int64, _ result: Int64) {
    let limited = Self.pipeline(Budgets(bytesPerSecond: own))
      .limited(concurrency: nil, bytesPerSecond: given, requests: nil)
    #expect(limited.budgets.bytesPerSecond == result)
  }

  @Test func `the lower rate counts, and other rates stay`() {
    let named = Rate(name: "login", requests: 1, period: .seconds(60))
    let (slow, fast) = (Self.rate(30, .seconds(60)), Self.rate(1, .seconds(1)))
    for (own, given) in [(slow, fast), (fast, slow)] {
      let limited = Self.pipeline(Budgets(rates: [named, own]))
        .limited(concurrency: nil, bytesPerSecond: nil, requests: given)
      #expect(limited.budgets.rates == [slow, named])
    }
    let added = Self.pipeline(Budgets(rates: [named]))
      .limited(concurrency: nil, bytesPerSecond: nil, requests: fast)
    #expect(added.budgets.rates == [fast, named])
  }
}
