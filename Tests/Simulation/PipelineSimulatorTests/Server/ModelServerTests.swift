import CEL
import PipelineCore
import PipelineAuthoring
import PipelineDocument
import PipelineSimulator
import Testing

/// A pipeline, its items, and the server that is derived from it.
struct ModelScene {
  let pipeline: SimulatedPipeline
  var model = ServerModel.ideal
  var settings = SimulatedRun.Settings()

  init(_ text: String) throws {
    let result = PipelineDocument.load(text: text, file: "test.yaml")
    pipeline = try #require(result.simulated, "\(result.diagnostics)")
  }

  /// Values for all inputs that have no default, and this many files for `files` inputs.
  func inputs(count: Int) throws -> (SimulatedRun.Inputs, VirtualDisk) {
    var inputs = SimulatedRun.Inputs()
    var disk = VirtualDisk()
    for input in pipeline.inputs {
      switch input.kind {
      case .secret: inputs.secrets[input.name] = "secret"
      case .files:
        inputs.files[input.name] = (0..<count).map {
          FileValue(path: "/p/\($0).jpg", name: "\($0).jpg", size: 2 << 20, modified: 0)
        }
        for file in inputs.files[input.name] ?? [] { disk.add(file) }
      case .url: inputs.values[input.name] = "http://server.test"
      default: inputs.values[input.name] = try InputValues.fallback(input) ?? "text"
      }
    }
    return (inputs, disk)
  }

  func run(count: Int = 3, seed: UInt64 = 1) throws -> SimulatedRun {
    let (inputs, disk) = try inputs(count: count)
    var run = SimulatedRun(
      pipeline.pipeline, inputs: inputs,
      server: try ModelServer(pipeline, model: model, seed: seed),
      disk: disk, settings: settings)
    run.simulate()
    return run
  }
}

extension SimulatedRun {
  var journal: ServerJournal { (server as? ModelServer)?.journal ?? ServerJournal() }

  func done(_ loop: Int = 0) -> Int { state?.loops[loop].counts[.done] ?? 0 }
}

struct ModelServerTests {
  @Test(arguments: ["photos", "documents", "one-by-one"])
  func `a shipped pipeline needs no example`(name: String) throws {
    let scene = try ModelScene(try TestFiles.text("Pipelines/\(name).yaml"))
    let run = try scene.run()
    #expect(run.outcome == .rested, "\(TraceText(run).render(run.trace, limit: 40))")
    #expect(run.done() == 3)
  }

  @Test(arguments: PipelineTemplate.all.map(\.name))
  func `a template needs no example`(name: String) throws {
    let template = try #require(PipelineTemplate.named(name))
    let run = try ModelScene(try template.text()).run()
    #expect(run.outcome == .rested, "\(TraceText(run).render(run.trace, limit: 40))")
    #expect(run.done() == 3)
  }
}
