#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeps what a process that works on runs holds from others on the same machine.
enum PrivateProcess {
  /// Files that are created from now on are the user's alone: folders 0700, files 0600.
  static func keepFiles() { umask(0o077) }

  /// Leaves no memory behind when the process crashes: it holds secrets.
  ///
  /// A limit of 0 keeps the kernel from writing a core file; where cores are handed to a program the limit does not
  /// count, and there the filter leaves every mapping out (core(5)).
  static func disableCoreDumps() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(coreLimit, &limit)
    let descriptor = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = "0".withCString { write(descriptor, $0, 1) }
    close(descriptor)
  }

  #if canImport(Glibc)
    private static let coreLimit = __rlimit_resource_t(RLIMIT_CORE.rawValue)
  #else
    private static let coreLimit = RLIMIT_CORE
  #endif

  /// Takes from others what an earlier version let them read; what belongs to another user stays as it is.
  static func keep(_ folder: RunFolder) {
    for path in [folder.path, folder.filesPath] { chmod(path, 0o700) }
    let database = [
      folder.databasePath, folder.databasePath + "-wal", folder.databasePath + "-shm",
    ]
    for path in database + [folder.lockPath, folder.definitionPath] { chmod(path, 0o600) }
  }
}
