import CEL
import Foundation

/// How fast compiled expressions are, and how much memory one uses.
enum ExpressionFigures {
  private static let expressions = [
    "a.status == 401",
    "response.status in [404, 410]",
    "inputs.server + '/v1/uploads/' + upload_id + '/content'",
    "size(list.filter(x, x > 10)) == 90",
  ]

  private static let values: [String: Value] = [
    "a": ["status": 401], "response": ["status": 410], "upload_id": "up_0123456789",
    "inputs": ["server": "https://photos.example.com"], "list": .list((1...100).map { .int($0) }),
  ]

  static func print() throws {
    var environment = Environment.standard
    for name in values.keys { environment.declare(name, as: .dyn) }
    for source in expressions {
      guard let compiled = environment.compile(source).expression else { fatalError(source) }
      var rates: [Double] = []
      for _ in 0..<5 {
        let count = 100_000
        let taken = try ContinuousClock().measure {
          for _ in 0..<count { _ = try compiled.evaluate(values) }
        }
        rates.append(Double(count) / max(seconds(taken), 0.001))
      }
      Swift.print("\(source): \(Int(median(rates))) evaluations/s")
    }
    try printMemory(environment)
  }

  private static func printMemory(_ environment: Environment) throws {
    let count = 20_000
    var kept: [CompiledExpression] = []
    kept.reserveCapacity(count)
    let before = residentBytes()
    for index in 0..<count {
      guard let compiled = environment.compile("a.status == \(index)").expression else { continue }
      kept.append(compiled)
    }
    let each = (residentBytes() - before) / count
    Swift.print("memory of one compiled `a.status == N`: \(each) bytes, over \(kept.count)")
  }

  private static func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4096
  }
}
