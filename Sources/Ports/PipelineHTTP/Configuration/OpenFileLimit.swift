/// How many files and connections this process may have open, and how many exchanges that allows.
public struct OpenFileLimit: Hashable, Sendable {
  /// Descriptors that the process may have.
  public let count: Int

  private static let useful = 65_536
  /// Descriptors per exchange: its connection, and the file that it sends or receives.
  private static let perExchange = 2
  /// Descriptors that a run uses otherwise: its store, lock, input and output, files that it lists and writes, the resolver.
  private static let reserve = 40
  private static let perLoop = 3

  /// A limit of `count` descriptors.
  public init(count: Int) { self.count = count }

  public static var current: OpenFileLimit {
    var limits = rlimit()
    guard getrlimit(resource, &limits) == 0 else { return OpenFileLimit(count: 256) }
    return OpenFileLimit(count: Int(clamping: limits.rlim_cur))
  }

  /// Raises the limit as far as the system allows and as is useful; returns the new limit.
  @discardableResult public static func raise() -> OpenFileLimit {
    var limits = rlimit()
    guard getrlimit(resource, &limits) == 0 else { return current }
    let wanted = min(limits.rlim_max, rlim_t(useful))
    if limits.rlim_cur < wanted {
      limits.rlim_cur = wanted
      _ = setrlimit(resource, &limits)
    }
    return current
  }

  /// The least limit with which a run works; with fewer descriptors, parts of the system end the process.
  public static func least(loops: Int) -> Int { reserve + perLoop * loops }

  /// Maximum number of exchanges in flight for which there are enough descriptors.
  public func exchanges(loops: Int, isServerHere: Bool = false) -> Int {
    let left = count - Self.reserve - Self.perLoop * loops
    return max(2, left / (Self.perExchange * (isServerHere ? 2 : 1)))
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
