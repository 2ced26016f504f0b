/// Removes runs; each is moved away in a single step, under its lock, before its files are deleted, so that a whole run or none is left.
struct RunRemoval {
  let state: StateFolder
  var isForced = false
  private var removedPath: String { state.path + "/removed" }

  /// Removes the run in `folder`, and returns the bytes that are free now.
  func remove(_ folder: RunFolder) async throws(CommandFailure) -> Int64 {
    let lock = try await take(folder)
    defer { withExtendedLifetime(lock) {} }
    let bytes = folder.bytesOnDisk
    let place = "\(removedPath)/\(folder.id)-\(getpid())"
    try StateFolder.make(removedPath, as: "")
    guard rename(folder.path, place) == 0 else {
      throw CommandFailure.environment(
        "cannot remove '\(folder.path)': \(FileContents.reason(errno))")
    }
    RunFolder.sync(state.runsPath)
    RunFolder.sync(removedPath)
    do { try FileManager.default.removeItem(atPath: place) } catch {
      throw CommandFailure.environment(
        "run '\(folder.id)' is removed, but not all files in '\(place)': \(StateFolder.reason(error))"
      )
    }
    return bytes
  }

  func check(_ folder: RunFolder) async throws(CommandFailure) { _ = try await take(folder) }

  /// The lock of a run that may be removed.
  private func take(_ folder: RunFolder) async throws(CommandFailure) -> RunLock {
    let lock = try RunLock.take(folder, else: "stop it first with `\(folder.command("pause"))`")
    // Read under the lock, so that no process changes it before it is gone.
    let run = await KnownRun(folder, isWorkedOn: false)
    guard isForced || !run.isUnfinished else {
      throw CommandFailure.invalid(
        "run '\(folder.id)' is not complete (\(run.condition)): `\(run.continuation)` \(run.continuationWords), "
          + "--force removes it anyway")
    }
    return lock
  }

  /// Deletes files that an earlier removal left because its process was killed.
  func sweep() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: removedPath)) ?? [] {
      let left = RunFolder(id: RunID(name), path: removedPath + "/" + name)
      // A process that removes it now still holds its lock.
      if !RunLock.isHeld(left) { try? FileManager.default.removeItem(atPath: left.path) }
    }
  }
}
