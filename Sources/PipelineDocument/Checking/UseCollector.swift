import CEL
import PipelineCore

/// The outputs that expressions of one step read.
struct UseCollector {
  private struct Key: Hashable {
    let step: Int
    let output: Int?
  }

  private var order: [Key] = []
  private var isCredential: [Key: Bool] = [:]

  /// Adds one use; what is read both ways identifies.
  mutating func add(step: Int, output: Int?, isCredential credential: Bool) {
    let key = Key(step: step, output: output)
    if let known = isCredential[key] {
      isCredential[key] = known && credential
    } else {
      order.append(key)
      isCredential[key] = credential
    }
  }

  /// The uses in the order in which they were first met.
  var uses: [OutputUse] {
    order.map {
      OutputUse(step: $0.step, output: $0.output, isCredential: isCredential[$0] ?? false)
    }
  }
}

/// Headers whose value only authorizes; names in lower case.
enum CredentialHeaders {
  static let names: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token",
    "x-access-token", "x-amz-security-token", "x-goog-api-key", "private-token", "x-csrf-token",
  ]
}
