import Basics
public import Foundation
import PipelineCore
import PipelineAuthoring
import PipelineDocument

/// The pipelines that seeds draw from: the shipped ones, the templates, and generated ones.
public struct PipelineLibrary: Sendable {
  private let shipped: [(name: String, text: String, pipeline: SimulatedPipeline)]

  /// Why the library cannot be opened.
  public struct Problem: Error { let message: String }

  /// Reads the shipped pipelines of the repository at `root`.
  public init(root: URL) throws {
    var found: [(String, String, SimulatedPipeline)] = []
    for name in ["photos", "documents", "one-by-one"] {
      let url = root.appending(path: "Pipelines/\(name).yaml")
      let text = try String(contentsOf: url, encoding: .utf8)
      found.append((name, text, try Self.load(text, name)))
    }
    for template in PipelineTemplate.all {
      let text = try template.text()
      found.append((template.name, text, try Self.load(text, template.name)))
    }
    shipped = found
  }

  static func load(_ text: String, _ name: String) throws(Problem) -> SimulatedPipeline {
    let result = PipelineDocument.load(text: text, file: name)
    guard let pipeline = result.simulated else {
      throw Problem(message: "\(name): \(result.diagnostics)\n\(text)")
    }
    return pipeline
  }

  /// The pipeline of a seed.
  func draw(
    _ seed: UInt64, _ random: inout SplitMix64
  ) -> (name: String, text: String, pipeline: SimulatedPipeline) {
    // By the seed only: the findings of other seeds stay the same.
    let isOfBatches = seed % 17 == 6
    let isOfParts = seed % 17 == 11
    let isOfTurns = seed % 19 == 9
    if !isOfBatches, !isOfParts, !isOfTurns, random.flip(0.3) { return random.pick(shipped) }
    let text =
      isOfBatches
      ? BatchPipeline(&random).text
      : isOfParts
        ? PartsPipeline(&random).text
        : isOfTurns ? TurnsPipeline(&random).text : GeneratedPipeline(&random).text
    do throws(Problem) {
      return (text, text, try Self.load(text, "made-up"))
    } catch {
      preconditionFailure(error.message)
    }
  }
}
