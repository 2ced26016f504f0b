import Basics
import PipelineCore
import PipelineSimulator
import Testing

struct AgendaTests {
  private func instant(_ second: Int64) -> Instant { Instant(milliseconds: second * 1000) }

  @Test func `entries are returned by time, and within an instant in the order of scheduling`() {
    var agenda = Agenda<Int>()
    var generator = SplitMix64(seed: 7)
    var expected: [(second: Int64, number: Int)] = []
    for number in 0..<500 {
      let second = Int64.random(in: 0..<20, using: &generator)
      expected.append((second, number))
      agenda.schedule(number, at: instant(second))
    }
    expected.sort { ($0.second, $0.number) < ($1.second, $1.number) }
    var found: [Int] = []
    while let next = agenda.popDue(by: instant(100)) { found.append(next.entry) }
    #expect(found == expected.map(\.number))
    #expect(agenda.isEmpty)
  }

  @Test func `no entry is returned before its time`() {
    var agenda = Agenda<String>()
    agenda.schedule("late", at: instant(9))
    #expect(agenda.popDue(by: instant(8)) == nil)
    #expect(agenda.next == instant(9))
    #expect(agenda.popDue(by: instant(9))?.entry == "late")
  }
}
