import Basics
public import Foundation
import PipelineCore
import PipelineAuthoring
import PipelineDocument

/// The pipelines that seeds draw from: the shipped ones, the templates, and those that are made up.
public struct PipelineLibrary: Sendable {
  private let shipped: [(name: String, pipeline: Pipeline)]

  /// Why the library cannot be opened.
  public struct Problem: Error { let message: String }

  /// Reads the shipped pipelines of the repository at `root`.
  public init(root: URL) throws {
    var found: [(String, Pipeline)] = []
    for name in ["photos", "documents", "one-by-one"] {
      let url = root.appending(path: "Pipelines/\(name).yaml")
      found.append((name, try Self.load(String(contentsOf: url, encoding: .utf8), name)))
    }
    for template in PipelineTemplate.all {
      found.append((template.name, try Self.load(template.text(), template.name)))
    }
    shipped = found
  }

  private static func load(_ text: String, _ name: String) throws(Problem) -> Pipeline {
    let result = PipelineDocument.load(text: text, file: name)
    guard let pipeline = result.pipeline else {
      throw Problem(message: "\(name): \(result.diagnostics)\n\(text)")
    }
    return pipeline
  }

  /// The pipeline of a seed.
  func draw(_ seed: UInt64, _ random: inout SplitMix64) -> (String, Pipeline) {
    // By the seed alone: what the others have found stays where it is.
    let isOfBatches = seed % 17 == 6
    if !isOfBatches, random.flip(0.3) { return random.pick(shipped) }
    let text = isOfBatches ? BatchPipeline(&random).text : GeneratedPipeline(&random).text
    do throws(Problem) {
      return (text, try Self.load(text, "made-up"))
    } catch {
      preconditionFailure(error.message)
    }
  }
}
