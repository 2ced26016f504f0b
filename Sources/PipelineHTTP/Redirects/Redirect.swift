import PipelineCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Where a response redirects a request (RFC 9110 §15.4).
enum Redirect {
  /// Maximum number of redirects followed per request.
  static let limit = 5

  /// What to do with a response.
  enum Decision {
    /// It is the final response.
    case response
    /// Send this request next; its body is that of the first request, or none.
    case follow(RenderedRequest, keepsBody: Bool)
    /// The redirect must not be followed.
    case refuse(String)
  }

  /// Decides about the response `status` to `request`, with the header `location`.
  ///
  /// - Parameter isUpload: Whether the body is a file, which is sent again only if the server asks for the same request.
  static func decide(
    status: Int, location: String?, request: RenderedRequest, origin: Origin, isUpload: Bool
  ) -> Decision {
    // Google Cloud Storage sends a 308 without `Location` to ask for the rest of an upload.
    guard [301, 302, 303, 307, 308].contains(status), let location else { return .response }
    guard let base = URL(string: request.url),
      let target = URL(string: location, relativeTo: base)?.absoluteString
    else { return .refuse("\(origin): redirects (\(status)) to an invalid URL") }
    let destination: Origin
    do throws(TransportFailure) {
      destination = try Address(target).origin
    } catch {
      return .refuse(
        "\(origin): redirects (\(status)) to an invalid URL: \(error.message)")
    }
    guard request.followsRedirects else {
      return .refuse(
        "\(origin): redirects (\(status)) to \(destination), but 'redirects: forbid' is set")
    }
    guard request.signing == nil else {
      return .refuse(
        "\(origin): redirects (\(status)) to \(destination), but a signature is valid for one URL only"
      )
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
          "\(origin): redirects (\(status)) to \(destination), but a body is not sent to another origin"
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

  /// Once removed, they stay removed, even if a later redirect leads back.
  private static func dropSecrets(of request: inout RenderedRequest) {
    let secrets = request.secretHeaders.union([
      "authorization", "proxy-authorization", "cookie", "host",
      request.keyHeader ?? "idempotency-key",
    ])
    request.carriesSecret = false
    request.headers.removeAll { secrets.contains($0.name.lowercased()) }
  }
}
