#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Basics
import HTTPTypes
import HummingbirdCore

extension RequestResponder {
  private struct FinalizationBody: Decodable {
    let uploads: [String]
  }

  /// Completes many uploads with one request, and returns for each the status of finalizing it
  /// alone: `{"results": [{"id", "status"}]}`, in the order of the request.
  ///
  /// Each upload has its own journal entry, so that a repeat of one is visible.
  func finalizeAll(_ exchange: inout RequestContext) async throws -> ResponseDraft {
    guard let body = try await json(FinalizationBody.self, of: exchange.request),
      body.uploads.count <= 1000
    else {
      return .refusal(.badRequest, "invalid_json", "expected {\"uploads\": [id, …]}, at most 1000")
    }
    var results: [[UInt8]] = []
    for id in body.uploads {
      var own = exchange
      let draft = finalize(id, &own)
      journal.record(own.entry(answeredBy: draft))
      results.append(
        JSONWriter.bytes {
          $0.add("id", id)
          $0.add("status", draft.status.code)
        })
    }
    exchange.entry.event = .finalizeAll
    let list = results.joined(separator: [UInt8(ascii: ",")])
    return ResponseDraft(.ok, Array("{\"results\":[".utf8) + list + Array("]}".utf8))
  }
}
