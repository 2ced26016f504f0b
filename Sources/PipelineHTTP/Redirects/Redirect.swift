import PipelineCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where an answer sends a request (RFC 9110 §15.4).
enum Redirect {
  /// Redirects of one request that are followed.
  static let limit = 5

  /// What to do with an answer.
  enum Decision {
    /// It is the answer.
    case response
    /// Send this request next; its body is the one of the first request, or none.
    case follow(RenderedRequest, keepsBody: Bool)
    /// The redirect must not be followed.
    case refuse(String)
  }

  /// Decides on the answer `status` with the header `location` to `request`.
  ///
  /// - Parameter isUpload: whether the body is a file, which is sent again only where the server asks for the same request.
  static func decide(
    status: Int, location: String?, request: RenderedRequest, origin: Origin, isUpload: Bool
  ) -> Decision {
    // A 308 without `Location` is how Google Cloud Storage says that it wants the rest of an upload.
    guard [301, 302, 303, 307, 308].contains(status), let location else { return .response }
    guard let base = URL(string: request.url),
      let target = URL(string: location, relativeTo: base)?.absoluteString
    else { return .refuse("\(origin): redirects (\(status)) to an address that is not usable") }
    let destination: Origin
    do throws(TransportFailure) {
      destination = try Address(target).origin
    } catch {
      return .refuse(
        "\(origin): redirects (\(status)) to an address that is not usable: \(error.message)")
    }
    guard request.followsRedirects else {
      return .refuse(
        "\(origin): redirects (\(status)) to \(destination), which 'redirects: forbid' rules out")
    }
    guard destination.isTLS || !origin.isTLS else {
      return .refuse("\(origin): redirects (\(status)) from https to http, \(destination)")
    }
    var request = request
    request.url = target
    let method = request.method.uppercased()
    let becomesGet =
      (status == 303 && method != "GET" && method != "HEAD")
      || ((status == 301 || status == 302) && method == "POST")
    guard !isUpload || becomesGet || status == 307 || status == 308 else {
      return .refuse(
        "\(origin): a redirect with \(status) does not say whether to send the file again")
    }
    if becomesGet { dropBody(of: &request) }
    if destination != origin {
      guard becomesGet || (!isUpload && request.body.isEmpty) else {
        return .refuse(
          "\(origin): redirects (\(status)) to \(destination), and a body is not sent to another origin"
        )
      }
      dropSecrets(of: &request)
      request.hostNamedBy = [origin.host]
    }
    return .follow(request, keepsBody: !becomesGet)
  }

  private static func dropBody(of request: inout RenderedRequest) {
    request.method = "GET"
    request.body = []
    request.headers.removeAll { $0.name.lowercased().hasPrefix("content-") }
  }

  /// Once dropped they stay dropped, even where a later redirect leads back.
  private static func dropSecrets(of request: inout RenderedRequest) {
    let secrets = request.secretHeaders.union([
      "authorization", "proxy-authorization", "cookie", "host",
      request.keyHeader ?? "idempotency-key",
    ])
    request.carriesSecret = false
    request.headers.removeAll { secrets.contains($0.name.lowercased()) }
  }
}
