/// Protects the data of a process that works on runs from other users of the machine.
enum PrivateProcess {
  /// New files belong to only the user: folders 0700, files 0600.
  static func keepFiles() { _ = userMask }

  /// The mask that the user set, for files that stay elsewhere than in the run's folder.
  static let userMask = umask(0o077)

  /// Prevents a crash of the process from leaving memory with secrets behind: no core file,
  /// and for a core piped to a program no mapping (core(5)).
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
