import PipelineCore
import PipelineEngine

extension SimulatedRun {
  /// Hands the answer of a transfer to the process; what a download brought is on the disk by then.
  mutating func deliver(_ id: EffectID, _ answer: Answer, _ flight: Flight) {
    let verdict = verdict(on: answer, flight)
    if case .upload(_, let file) = flight.operation, answer.error == nil {
      tally.count(verdict, of: file)
    }
    guard case .download(_, let plan, let path) = flight.operation else {
      conclude(id, verdict)
      return
    }
    guard case .success = verdict, Interpreter.hasFile(answer) else {
      conclude(id, interpreter.verdict(on: verdict, file: nil))
      return
    }
    do throws(FileFailure) {
      let file = try disk.takeIn(
        plan, answer.body, contentType: answer.header("content-type"), at: path, now: now)
      conclude(id, interpreter.verdict(on: verdict, file: file))
    } catch {
      conclude(id, Interpreter.verdict(on: error))
    }
  }
}
