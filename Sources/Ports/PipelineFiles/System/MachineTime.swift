enum MachineTime {
  /// The wall clock, which anyone may set.
  static var wall: Instant { Instant(milliseconds: milliseconds(CLOCK_REALTIME)) }

  /// Time since the machine was started, including sleep; it cannot be set.
  static var elapsed: Duration {
    #if canImport(Glibc)
      .milliseconds(milliseconds(CLOCK_BOOTTIME))
    #else
      // Of Apple's clocks, this one continues during sleep, like Linux's CLOCK_BOOTTIME.
      .milliseconds(milliseconds(CLOCK_MONOTONIC))
    #endif
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }

  /// Identifies this start of the machine; `nil` if the system does not provide it.
  static let boot: String? = {
    var bytes = [UInt8](repeating: 0, count: 64)
    #if canImport(Glibc)
      let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let count = read(descriptor, &bytes, bytes.count)
    #else
      var size = bytes.count
      let count = sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 ? size : -1
    #endif
    guard count > 0 else { return nil }
    let text = bytes.prefix(count).prefix { $0 > 0x20 && $0 < 0x7F }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }()
}
