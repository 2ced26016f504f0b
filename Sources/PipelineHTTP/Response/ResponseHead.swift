import PipelineCore

struct ResponseHead: Hashable, Sendable {
  /// 200 to 999.
  var status: Int
  /// Fields in order, with names as the server wrote them.
  var headers: [Response.Header] = []

  /// The value of the first field called `name`, which is in lower case.
  func first(_ name: String) -> String? {
    headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
  }

  /// Elements of all fields called `name` (RFC 9110 §5.6.1), in lower case.
  func list(_ name: String) -> [Substring] {
    var elements: [Substring] = []
    for header in headers where header.name.lowercased() == name {
      elements += header.value.lowercased().split(separator: ",").map { element in
        element.drop { $0 == " " || $0 == "\t" }.trimmedEnd
      }
    }
    return elements
  }
}

extension Substring {
  fileprivate var trimmedEnd: Substring {
    var text = self
    while text.last == " " || text.last == "\t" { text.removeLast() }
    return text
  }
}
