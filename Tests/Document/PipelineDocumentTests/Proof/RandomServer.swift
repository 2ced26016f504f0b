import Basics
import PipelineCore
import PipelineSimulator

/// Answers anything: usual and odd statuses, JSON of plausible and of any shape, no answer at all.
struct RandomServer: SimulatedServer {
  static let fields = ["id", "url", "token", "n", "at", "list", "nested.id", "flag"]
  private var random: SplitMix64

  /// Is shown each response before the step's verdict.
  private let observe: @Sendable (Response, Command) -> Void

  init(seed: UInt64, observe: @escaping @Sendable (Response, Command) -> Void) {
    random = SplitMix64(seed: seed)
    self.observe = observe
  }

  mutating func respond(
    to exchange: SimulatedRequest, for command: Command
  ) -> SimulatedResponse {
    let drawn = draw()
    if exchange.purpose == .attempt {
      observe(
        Response(
          status: drawn.status, headers: drawn.headers, body: drawn.body,
          url: exchange.request.url, error: drawn.failure, sent: exchange.at,
          received: exchange.at + drawn.latency), command)
    }
    return drawn
  }

  private mutating func draw() -> SimulatedResponse {
    let statuses = [
      200, 200, 200, 200, 201, 204, 301, 401, 403, 404, 408, 409, 410, 412, 422, 425, 429, 500, 501,
      502, 503,
    ]
    let status = statuses[number(0...(statuses.count - 1))]
    var body = object(0)
    if number(0...9) == 0 { body = ["", "<html>", "{", "null", "[1]", "7"][number(0...5)] }
    var response = SimulatedResponse(status: status, body: Array(body.utf8))
    if number(0...1) == 0 {
      response.headers = [
        .init(name: "Content-Type", value: "application/json"), .init(name: "X-A", value: "é b"),
        .init(
          name: "Retry-After", value: ["1", "soon", "-1", "99999999999999999999"][number(0...3)]),
        .init(name: "Date", value: "Sun, 06 Nov 1994 08:49:37 GMT"),
      ]
    }
    let kinds = TransportFailure.Kind.allCases
    if number(0...11) == 0 {
      let kind = kinds[number(0...(kinds.count - 1))]
      response = SimulatedResponse(
        failure: TransportFailure(kind, message: "lost", mayHaveBeenSent: true))
    }
    response.latency = .milliseconds(number(1...5000))
    return response
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }

  private mutating func object(_ depth: Int) -> String {
    let isPlausible = number(0...3) > 0
    let plausible: [(String, String)] = [
      ("id", "\"i-\(number(0...99))\""), ("url", "\"http://other/\(number(0...9))\""),
      ("token", "\"t\""), ("n", "\(number(-5...5000))"), ("at", "\"2030-05-06T07:08:09Z\""),
      ("list", "[1, \"a\", null]"), ("nested", "{\"id\": \"deep\"}"), ("flag", "true"),
    ]
    let members = plausible.compactMap { name, value -> String? in
      if !isPlausible, number(0...4) == 0 { return nil }
      return "\"\(name)\": \(isPlausible ? value : any(depth))"
    }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func any(_ depth: Int) -> String {
    switch number(0...(depth > 2 ? 6 : 8)) {
    case 0: "null"
    case 1: "true"
    case 2: "-9223372036854775808"
    case 3: "1e308"
    case 4: "\"\\u0000 \\n é🙂\""
    case 5: "\"9999-12-31T23:59:59Z\""
    case 6: "18446744073709551616"
    case 7: "[\(any(depth + 1)), \(any(depth + 1))]"
    default: object(depth + 1)
    }
  }
}
