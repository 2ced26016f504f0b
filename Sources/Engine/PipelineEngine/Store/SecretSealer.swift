import Basics
import Synchronization

/// Encrypts values that must outlive their process and must not be stored in clear.
///
/// Contract: data sealed with a key and a context is opened with both, and with nothing else; sealing the same bytes twice produces
/// different texts.
public protocol SecretSealer: Sendable {
  /// The bytes, encrypted and authenticated together with their context.
  func seal(_ bytes: [UInt8], context: String) -> String
  /// The bytes that were sealed; `nil` with another key or context, or if the text was changed.
  func open(_ sealed: String, context: String) -> [UInt8]?
}

/// Seals and opens the outputs of frames at the boundary of a store, each bound to the run, item, part, step, generation and output.
struct OutputSealing: Sendable {
  let sealer: (any SecretSealer)?
  let pipeline: Pipeline
  /// The run's name, once its state was written or read; shards of a run have the same.
  private let run = RunName()

  /// The store's information about its run.
  private final class RunName: Sendable {
    let text = Mutex("")
  }

  init(sealer: (any SecretSealer)?, pipeline: Pipeline) {
    (self.sealer, self.pipeline) = (sealer, pipeline)
  }

  /// Binds the following to the run; all shards of one have the same name,
  /// because a lead's results are passed to the others.
  func bind(to id: RunID, _ shard: Shard?) {
    guard sealer != nil else { return }
    let suffixes = shard.map { [".lead", ".\($0.number)"] } ?? []
    let suffix = suffixes.first { id.rawValue.hasSuffix($0) } ?? ""
    run.text.withLock { $0 = String(id.rawValue.dropLast(suffix.count)) }
  }

  /// The frame with its sealed outputs encrypted; without a sealer they are not stored, and a text that the key did not open stays.
  func sealed(_ frame: Frame, _ steps: [Int], of item: ItemKey?) -> Frame {
    changed(frame, steps, place(item)) { output, contexts in
      guard let sealer, let value = output.value else { return output }
      var writer = JSONWriter()
      writer.object { $0.write(value, "value") }
      return output.with(sealedText: sealer.seal(writer.bytes, context: contexts[0]))
    }
  }

  /// The frame with its sealed outputs opened; an output that cannot be opened has no value, as if it had expired.
  func opened(_ frame: Frame, _ steps: [Int], of item: ItemKey?) -> Frame {
    changed(frame, steps, place(item)) { output, contexts in
      guard let text = output.sealedText, let sealer,
        let bytes = contexts.lazy.compactMap({ sealer.open(text, context: $0) }).first,
        let fields = try? Fields(bytes), let value = try? fields.value("value")
      else { return output }
      return output.with(value: value)
    }
  }

  private func place(_ item: ItemKey?) -> String {
    run.text.withLock { $0 } + "\n" + (item.map(\.description) ?? "run")
  }

  /// - Parameter change: Receives the contexts that a text may have, first that which a new one has.
  private func changed(
    _ frame: Frame, _ steps: [Int], _ place: String,
    _ change: (OutputValue, [String]) -> OutputValue
  ) -> Frame {
    guard frame.contains(where: Self.holdsSealed) else { return frame }
    var frame = frame
    for (position, step) in zip(frame.indices, steps) where Self.holdsSealed(frame[position]) {
      let state = frame[position]
      let own = "\(place)\n\(pipeline.steps[step].id)"
      func changed(_ outputs: [OutputValue], _ generations: [String]) -> [OutputValue] {
        outputs.enumerated().map { index, output in
          output.isSealed ? change(output, generations.map { "\(own)/\(index)\n\($0)" }) : output
        }
      }
      let (now, before) = ("\(state.generation)", "\(state.generation - 1)")
      frame[position].outputs = changed(state.outputs, [now])
      // Values that the key did not open when it was replaced still have their own generation.
      frame[position].previous = changed(state.previous, ["before \(now)", now, before])
      guard let active = state.parts?.active else { continue }
      for (number, inner) in active {
        frame[position].parts?.active[number] = self.changed(
          inner, Array(pipeline.partSteps(of: step)), "\(own)\n\(now)\n\(number)", change)
      }
    }
    return frame
  }

  private static func holdsSealed(_ step: StepState) -> Bool {
    step.outputs.contains(where: \.isSealed) || step.previous.contains(where: \.isSealed)
      || step.parts?.active.values.contains { $0.contains(where: holdsSealed) } == true
  }
}
