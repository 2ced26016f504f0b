import CEL
import PipelineCore

extension Pipeline {
  /// The bytes of a user's file that the step at `index` uploads, with or without a copy of them; `nil` if it sends a whole file.
  func rangeSent(by index: Int) -> Materialize<Compiled>.ByteRange? {
    guard case .upload(let upload) = steps[index].action else { return nil }
    if let range = upload.range { return range }
    guard let name = upload.file.compiled.variable, name.hasPrefix("steps."),
      name.hasSuffix(".file"), let copy = stepIndex[StepID(String(name.dropFirst(6).dropLast(5)))],
      case .materialize(let body) = steps[copy].action, case .file(_, let range) = body.source
    else { return nil }
    return range
  }
}
