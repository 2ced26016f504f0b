/// Protects what a process that works on runs holds from other users of the machine.
enum PrivateProcess {
  /// New files belong to the user alone: folders 0700, files 0600.
  static func keepFiles() { _ = userMask }

  /// The mask that the user set, for files that stay elsewhere than in the run's folder.
  static let userMask = umask(0o077)

  /// Leaves no memory with secrets behind when the process crashes: no core file, and for a core piped to a program no mapping (core(5)).
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

  /// Revokes permissions of others, which a copied folder may have; files of another user stay as they are.
  static func keep(_ folder: RunFolder) {
    for path in [folder.path, folder.filesPath] { chmod(path, 0o700) }
    for path in folder.storePaths + [folder.lockPath, folder.definitionPath] { chmod(path, 0o600) }
  }
}
