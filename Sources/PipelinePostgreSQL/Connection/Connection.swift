import Dispatch
import PipelineEngine

/// Runs work on one session in order, on a queue of its own; connects again when the session was lost.
///
/// The session is used on the queue alone.
final class Connection: @unchecked Sendable {
  private let queue = DispatchQueue(label: "pipeline.store.postgresql")
  private let address: String
  private let schema: String
  private var session: Session?
  private var isClosed = false
  /// Where the server is, once it was reached.
  private var place = "the PostgreSQL server"

  init(address: String, schema: String) {
    self.address = address
    self.schema = schema
  }

  /// Runs `body`; once again on a new session if the first is lost and it `repeats` without harm.
  func perform<Answer: Sendable>(
    repeats: Bool, _ body: @escaping @Sendable (Session) throws -> Answer
  ) async throws(StoreFailure) -> Answer {
    let result: Result<Answer, StoreFailure> = await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          returning: Result { () throws(StoreFailure) in
            do {
              return try attempt(repeats, body)
            } catch {
              throw StoreFailure(error, place: place)
            }
          })
      }
    }
    return try result.get()
  }

  private func attempt<Answer>(_ repeats: Bool, _ body: (Session) throws -> Answer) throws -> Answer
  {
    guard !isClosed else { throw StoreFailure(.system, message: "the store at \(place) is closed") }
    do {
      return try body(try connected())
    } catch {
      guard let lost = session, lost.isLost else { throw error }
      session = nil
      guard repeats else { throw error }
      return try body(try connected())
    }
  }

  private func connected() throws -> Session {
    if let session { return session }
    let new = try Session(try LibPQ.loaded.get(), address: address, schema: schema)
    place = new.place
    session = new
    return new
  }

  func close() async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        session = nil
        isClosed = true
        continuation.resume()
      }
    }
  }
}
