import Basics
import CEL

extension JSONWriter {
  /// A CEL value; a type that JSON does not have is an object with one key that starts with `$`.
  mutating func write(_ value: Value, _ key: String? = nil) {
    switch value {
    case .null: null(key)
    case .bool(let flag): bool(key, flag)
    case .int(let number): int(key, number)
    case .string(let text): string(key, text)
    case .list(let elements): array(key) { for element in elements { $0.write(element) } }
    case .map(let map) where map.isJSONObject: object(key) { $0.writeMembers(of: map) }
    case .map(let map):
      tagged(key, "$map") {
        $0.array("$map") {
          for (name, value) in map {
            $0.write(name)
            $0.write(value)
          }
        }
      }
    case .double(let number): tagged(key, "$double") { $0.string("$double", "\(number)") }
    case .uint(let number): tagged(key, "$uint") { $0.string("$uint", "\(number)") }
    case .bytes(let bytes):
      tagged(key, "$bytes") { $0.array("$bytes") { for byte in bytes { $0.int(nil, byte) } } }
    case .timestamp(let moment):
      tagged(key, "$timestamp") {
        $0.array("$timestamp") {
          $0.int(nil, moment.seconds)
          $0.int(nil, moment.nanoseconds)
        }
      }
    case .duration(let duration):
      tagged(key, "$duration") {
        $0.array("$duration") {
          $0.int(nil, duration.components.seconds)
          $0.int(nil, duration.components.attoseconds)
        }
      }
    default:
      // The checker rejects types and optionals as values of outputs and inputs.
      null(key)
    }
  }

  private mutating func tagged(_ key: String?, _ tag: String, _ body: (inout JSONWriter) -> Void) {
    object(key, body)
  }

  private mutating func writeMembers(of map: MapValue) {
    for (name, value) in map { if case .string(let name) = name { write(value, name) } }
  }

  mutating func write(_ file: FileValue, _ key: String? = nil) {
    object(key) {
      $0.string("path", file.path)
      $0.string("name", file.name)
      if file.relative != file.name { $0.string("relative", file.relative) }
      $0.int("size", file.size)
      $0.int("modified", file.modified)
      if let type = file.contentType { $0.string("type", type) }
      if let problem = file.problem { $0.string("problem", problem) }
      for algorithm in DigestAlgorithm.allCases {
        if let digest = file.digests[algorithm] { $0.string(algorithm.rawValue, digest) }
      }
    }
  }

  mutating func write(_ failure: Failure, _ key: String? = nil) {
    object(key) {
      $0.string("message", failure.message)
      if let status = failure.status { $0.int("status", status) }
      if let lacking = failure.lacking { $0.string("lacking", lacking.rawValue) }
      if let response = failure.response { $0.write(response) }
      if let duration = failure.duration { $0.int("milliseconds", duration.milliseconds) }
    }
  }

  private mutating func write(_ response: KeptResponse) {
    object("response") {
      if !response.body.isEmpty { $0.string("body", response.body) }
      $0.int("bytes", response.bodyBytes)
      if response.requestIDs.isEmpty { return }
      $0.array("request_ids") {
        for header in response.requestIDs {
          $0.array {
            $0.string(nil, header.name)
            $0.string(nil, header.value)
          }
        }
      }
    }
  }

  mutating func write(_ outputs: [OutputValue], _ key: String) {
    array(key) {
      for output in outputs {
        $0.object {
          // A secret stays in the process that obtained it, or is encrypted (invariant 8).
          if output.isSealed {
            $0.bool("secret", true)
            $0.string("sealed", output.sealedText ?? "")
          } else if output.isSecret {
            $0.bool("secret", true)
          } else if let value = output.value {
            $0.write(value, "value")
          }
          if let expires = output.expires { $0.int("expires", expires.milliseconds) }
          if let stale = output.staleFrom { $0.int("stale", stale.milliseconds) }
          if let slide = output.slide { $0.int("slide", slide.milliseconds) }
        }
      }
    }
  }

  mutating func write(_ frame: Frame, _ steps: [Int], of pipeline: Pipeline, _ key: String) {
    object(key) {
      for (state, step) in zip(frame, steps) where state != StepState() {
        $0.write(state, step, of: pipeline)
      }
    }
  }

  private mutating func write(_ parts: PartsState, _ step: Int, of pipeline: Pipeline) {
    object("parts") {
      $0.int("count", parts.count)
      if parts.active.isEmpty { return }
      $0.object("active") {
        for (number, frame) in parts.active.sorted(by: { $0.key < $1.key }) {
          $0.write(frame, Array(pipeline.partSteps(of: step)), of: pipeline, String(number))
        }
      }
    }
  }

  private mutating func write(_ state: StepState, _ step: Int, of pipeline: Pipeline) {
    object(pipeline.steps[step].id.rawValue) {
      $0.string("status", state.status.rawValue)
      $0.int("generation", state.generation)
      if state.attempt != 0 { $0.int("attempt", state.attempt) }
      if state.failures != 0 { $0.int("failures", state.failures) }
      if state.reissues != 0 { $0.int("reissues", state.reissues) }
      if state.unusedInvalidations != 0 { $0.int("unused_deaths", state.unusedInvalidations) }
      if state.isInvalidated { $0.bool("dead", true) }
      if state.isForeign { $0.bool("foreign", true) }
      $0.int("since", state.since.milliseconds)
      if let begun = state.begun { $0.int("begun", begun.milliseconds) }
      if let notBefore = state.notBefore { $0.int("not_before", notBefore.milliseconds) }
      if let slower = state.slower { $0.int("slower", slower.milliseconds) }
      if let since = state.unknownSince { $0.int("unknown_since", since.milliseconds) }
      if let earliest = state.earliest { $0.int("earliest", earliest.milliseconds) }
      if state.challenges != 0 { $0.int("challenges", state.challenges) }
      if let failure = state.failure { $0.write(failure, "failure") }
      if !state.statuses.isEmpty {
        $0.array("statuses") { for status in state.statuses { $0.int(nil, status) } }
      }
      if !state.outputs.isEmpty { $0.write(state.outputs, "outputs") }
      if !state.previous.isEmpty { $0.write(state.previous, "previous") }
      if let file = state.file { $0.write(file, "file") }
      if !state.sources.isEmpty {
        $0.array("sources") { for source in state.sources { $0.int(nil, source) } }
      }
      if state.movedTo != 0 { $0.int("moved_to", state.movedTo) }
      if state.reservedBytes != 0 { $0.int("reserved", state.reservedBytes) }
      if state.turn != 0 { $0.int("turn", state.turn) }
      if state.isOver { $0.bool("over", true) }
      if let farthest = state.farthest { $0.int("farthest", farthest) }
      if let parts = state.parts { $0.write(parts, step, of: pipeline) }
      if let batch = state.batch { $0.write(batch) }
    }
  }

  private mutating func write(_ batch: BatchMembership) {
    object("batch") {
      $0.int("first", batch.first)
      $0.int("generation", batch.generation)
      $0.int("items", batch.items)
      if batch.failures != 0 { $0.int("failures", batch.failures) }
      if let begun = batch.begun { $0.int("begun", begun.milliseconds) }
      if batch.isOpen { $0.bool("open", true) }
      if batch.isPartial { $0.bool("partial", true) }
    }
  }

  mutating func write(_ loop: LoopState) {
    object {
      $0.array("counts") { for status in Item.Status.allCases { $0.int(nil, loop.counts[status]) } }
      $0.bool("enumerated", loop.isEnumerated)
      if loop.bytesMoved != 0 { $0.int("bytes_moved", loop.bytesMoved) }
      if loop.leftAtServer != 0 { $0.int("left", loop.leftAtServer) }
      if loop.isRequeued { $0.bool("requeued", true) }
    }
  }

  mutating func write(_ abandoning: Item.AbandonProgress) {
    object("abandoning") {
      $0.int("index", abandoning.index)
      $0.int("attempt", abandoning.attempt)
      $0.int("next", abandoning.next.rawValue)
      if abandoning.isUndone { $0.bool("undone", true) }
      if abandoning.failures != 0 { $0.int("failures", abandoning.failures) }
      if let begun = abandoning.begun { $0.int("begun", begun.milliseconds) }
      if let since = abandoning.since { $0.int("since", since.milliseconds) }
      if let notBefore = abandoning.notBefore { $0.int("not_before", notBefore.milliseconds) }
      if let failure = abandoning.failure { $0.write(failure, "failure") }
      $0.ints("only", abandoning.only)
      $0.ints("left", abandoning.left)
      if let cause = abandoning.cause { $0.write(cause, "cause") }
    }
  }

  private mutating func ints(_ key: String, _ numbers: [Int]) {
    guard !numbers.isEmpty else { return }
    array(key) { for number in numbers { $0.int(nil, number) } }
  }
}

/// Lists of numbers by name: `"rates": {"init": [1764072000000, 3]}`.
extension JSONWriter {
  mutating func write(_ lists: [String: [Int64]], _ key: String) {
    object(key) {
      for (name, numbers) in lists.sorted(by: { $0.key < $1.key }) {
        $0.array(name) { for number in numbers { $0.int(nil, number) } }
      }
    }
  }
}
