import CEL
import PipelineConformance
import PipelineCore
import PipelineEngine
import Testing

/// A server's response to a failure outlives the process.
struct StoredResponseTests {
  private let coding = CheckpointCoding(Sample.pipeline)

  private func item(_ failure: Failure) -> Item {
    var item = Item(key: ItemKey(loop: 0, ordinal: 0), subject: .value("a"), status: .failed)
    item.reason = failure
    return item
  }

  @Test(arguments: [
    KeptResponse(
      body: "<Error>ä\\u001b</Error>\n", bodyBytes: 70_000,
      requestIDs: [.init(name: "x-amz-id-2", value: "a/b=="), .init(name: "CF-Ray", value: "7d")]),
    KeptResponse(body: "", bodyBytes: 0, requestIDs: []),
  ])
  func `a stored response is read as it was written`(response: KeptResponse) throws {
    let item = item(Failure("PUT returned 403", status: 403, response: response))
    let read = try coding.item(
      item.key, subject: coding.encode(subject: item.subject), status: .failed,
      progress: coding.encode(progress: item))
    #expect(read == item)
  }

  @Test func `a failure without a response is stored as before`() {
    let item = item(Failure("PUT returned 403", status: 403))
    let text = String(decoding: coding.encode(progress: item), as: UTF8.self)
    #expect(text == #"{"reason":{"message":"PUT returned 403","status":403}}"#)
  }

  @Test func `request ids of another form are damage`() {
    let text = #"{"reason":{"message":"m","response":{"bytes":1,"request_ids":["x"]}}}"#
    #expect(throws: CheckpointCoding.Damage.self) {
      try coding.item(
        ItemKey(loop: 0, ordinal: 0), subject: Array(#"{"value":"a"}"#.utf8), status: .failed,
        progress: Array(text.utf8))
    }
  }
}
