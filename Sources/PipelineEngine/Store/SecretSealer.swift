import Basics
import PipelineCore

/// Encrypts values that must outlive their process and must not lie in clear.
///
/// Contract: what was sealed with a key and a context is opened with both, and with nothing else; sealing the same bytes twice gives
/// different texts.
public protocol SecretSealer: Sendable {
  /// The bytes, encrypted and authenticated together with their context.
  func seal(_ bytes: [UInt8], context: String) -> String
  /// The bytes that were sealed; `nil` with another key or context, or if the text was changed.
  func open(_ sealed: String, context: String) -> [UInt8]?
}

/// Seals and opens the outputs of frames at the boundary of a store.
struct OutputSealing: Sendable {
  let sealer: (any SecretSealer)?
  let pipeline: Pipeline

  /// The frame with its sealed outputs encrypted: what has no sealer is not stored, like any other secret.
  func sealed(_ frame: Frame, _ steps: [Int]) -> Frame {
    changed(frame, steps) { output, context in
      guard output.sealedText == nil, let sealer, let value = output.value else { return output }
      var writer = JSONWriter()
      writer.object { $0.write(value, "value") }
      return output.with(sealedText: sealer.seal(writer.bytes, context: context))
    }
  }

  /// The frame with its sealed outputs opened; what cannot be opened has no value, as if it had expired.
  func opened(_ frame: Frame, _ steps: [Int]) -> Frame {
    changed(frame, steps) { output, context in
      guard let text = output.sealedText, let bytes = sealer?.open(text, context: context),
        let fields = try? Fields(bytes), let value = try? fields.value("value")
      else { return output }
      return output.with(value: value)
    }
  }

  private func changed(
    _ frame: Frame, _ steps: [Int], _ change: (OutputValue, String) -> OutputValue
  ) -> Frame {
    guard frame.contains(where: Self.holdsSealed) else { return frame }
    var frame = frame
    for (place, step) in zip(frame.indices, steps) where Self.holdsSealed(frame[place]) {
      let id = pipeline.steps[step].id.rawValue
      func changed(_ outputs: [OutputValue]) -> [OutputValue] {
        outputs.enumerated().map { index, output in
          output.isSealed ? change(output, "\(id)/\(index)") : output
        }
      }
      frame[place].outputs = changed(frame[place].outputs)
      frame[place].previous = changed(frame[place].previous)
      guard let active = frame[place].parts?.active else { continue }
      for (number, inner) in active {
        frame[place].parts?.active[number] = self.changed(
          inner, Array(pipeline.partSteps(of: step)), change)
      }
    }
    return frame
  }

  private static func holdsSealed(_ step: StepState) -> Bool {
    step.outputs.contains(where: \.isSealed) || step.previous.contains(where: \.isSealed)
      || step.parts?.active.values.contains { $0.contains(where: holdsSealed) } == true
  }
}
