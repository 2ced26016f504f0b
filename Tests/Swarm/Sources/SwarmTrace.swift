public import Foundation
import PipelineCore
import PipelineScenarios
import PipelineSimulator

/// Everything that a run of the swarm decides, written down: it stays the same when seeds come to mean something else.
public struct SwarmTrace: Codable, Sendable {
  /// The violations that it once found.
  public let found: String
  /// The bug that the shell has.
  public let bug: PlantedBug?
  /// The seed it was written from; the run itself draws its waits from it, as every run does.
  public let seed: UInt64
  /// The name of a shipped pipeline; `nil` if the pipeline was generated.
  let name: String?
  /// The pipeline's text, by line.
  let pipeline: [String]
  /// Names and sizes of the items.
  let items: [Item]
  /// The possible faults.
  let world: World
  /// What did: the draws by name, in order; `false*3` is three times the same.
  var draws: [String: [String]]

  /// An item.
  struct Item: Codable {
    let path: String
    let size: Int64
  }

  /// Something at a time, both in milliseconds after the start.
  struct Jump: Codable {
    let after: Int64
    let by: Int64
  }

  /// The user's actions, after milliseconds.
  struct Wish: Codable {
    enum Kind: String, Codable { case pause, cancel }
    let after: Int64
    let kind: Kind
  }

  /// The server; times in milliseconds.
  struct Server: Codable {
    let latency: Distribution
    let lifetimes: [String: Int64]
    let clockSkew: Int64
    let isDated: Bool
    let serverError, throttled, lostReply, lostRequest, duplicate, revoked: Double
  }

  /// The possible faults, with their probabilities; times in milliseconds.
  struct World: Codable {
    let server: Server
    let serverClock: Jump?
    let deviceClock: [Jump]
    let way: SwarmPlan.WayFaults
    let exchanges: Int?
    let networkTimeout: Int64?
    /// Whether bodies are sent in pieces; absent if not.
    let sendsPieces: Bool?
    let wishes: [Wish]
    let process: SwarmPlan.ProcessFaults
    let device: SwarmPlan.DeviceFaults
    let freeSpace: Int64?
    let faultsEndAfter: Int64
  }

  /// Reads a file.
  public init(contentsOf file: URL) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
  }

  /// The file's text.
  public func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  // MARK: Draws

  private static let width = 90

  /// Equal neighbours once, with their number, in lines of some width.
  static func shortened(_ list: [String]) -> [String] {
    var words: [(value: String, count: Int)] = []
    for value in list {
      if words.last?.value == value {
        words[words.count - 1].count += 1
      } else {
        words.append((value, 1))
      }
    }
    var lines = [""]
    for (value, count) in words {
      let word = count > 1 ? "\(value)*\(count)" : value
      if lines[lines.count - 1].count + word.count >= width { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines
  }

  /// The draws, each by itself.
  var lists: [String: [String]] {
    get throws(PipelineLibrary.Problem) {
      var lists: [String: [String]] = [:]
      for (name, lines) in draws {
        for word in lines.joined(separator: " ").split(separator: " ") {
          let parts = word.split(
            separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
          guard let count = parts.count == 2 ? Int(parts[1]) : 1, 0 < count, count < 1_000_000,
            !parts[0].isEmpty
          else { throw PipelineLibrary.Problem(message: "'\(name)' cannot have '\(word)'") }
          lists[name, default: []] += Array(repeating: String(parts[0]), count: count)
        }
      }
      return lists
    }
  }
}
