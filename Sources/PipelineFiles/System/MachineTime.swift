import PipelineCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the machine says of time.
enum MachineTime {
  /// What the wall clock shows; anyone may set it.
  static var wall: Instant { Instant(milliseconds: milliseconds(CLOCK_REALTIME)) }

  /// Time since the machine was started, sleep included; nobody can set it.
  static var elapsed: Duration {
    #if canImport(Glibc)
      .milliseconds(milliseconds(CLOCK_BOOTTIME))
    #else
      // Of Apple's clocks this one goes on in sleep, as Linux's CLOCK_BOOTTIME does.
      .milliseconds(milliseconds(CLOCK_MONOTONIC))
    #endif
  }

  private static func milliseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
  }

  /// Names this start of the machine; `nil` where the system does not say.
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
