/// A request that is sent again and again until the server reports that it is ready.
///
/// The meaning of a response is defined by the step's matchers, as for any request: those that the author wrote under
/// `on`, then one that fails (`fail_when`), one that succeeds (`until`), and one that asks again (`every`).
public struct Poll<S: Stage>: Sendable {
  /// The question; it changes nothing on the server.
  public let request: S.Request
  /// The longest time from the first question to the last, a duration.
  public let deadline: S.Expression

  /// Describes a poll.
  public init(request: S.Request, deadline: S.Expression) {
    (self.request, self.deadline) = (request, deadline)
  }
}

/// A poll as the author wrote it.
public typealias PollTemplate = Poll<Compiled>

extension Poll: Equatable, Hashable where S == Compiled {
  /// Time between two requests if neither the author nor the server specifies it.
  public static var defaultInterval: Duration { .seconds(10) }
  /// The shortest time between two requests, regardless of the server.
  public static var shortestInterval: Duration { .seconds(1) }
}
