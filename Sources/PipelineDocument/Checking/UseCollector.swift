import CEL
import PipelineCore

struct UseCollector {
  private struct Key: Hashable {
    package let step: Int
    package let output: Int?
  }

  /// The number of uses from which a table is used; nearly every step has fewer.
  private static let large = 12

  /// The uses in the order in which they were first met.
  private(set) var uses: [OutputUse] = []
  private var places: [Key: Int] = [:]

  /// Adds one use; an output read both ways counts as identifying.
  package mutating func add(step: Int, output: Int?, isCredential credential: Bool) {
    let key = Key(step: step, output: output)
    if let place = place(of: key) {
      guard uses[place].isCredential, !credential else { return }
      uses[place] = OutputUse(step: step, output: output, isCredential: false)
      return
    }
    uses.append(OutputUse(step: step, output: output, isCredential: credential))
    if uses.count == Self.large {
      for (place, use) in uses.enumerated() {
        places[Key(step: use.step, output: use.output)] = place
      }
    } else if uses.count > Self.large {
      places[key] = uses.count - 1
    }
  }

  private func place(of key: Key) -> Int? {
    uses.count < Self.large
      ? uses.firstIndex { $0.step == key.step && $0.output == key.output } : places[key]
  }
}

/// Headers whose value only authorizes, in lower case.
enum CredentialHeaders {
  package static let names: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token",
    "x-access-token", "x-amz-security-token", "x-goog-api-key", "private-token", "x-csrf-token",
  ]
}
