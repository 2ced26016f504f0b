/// What has to happen in some seed of many: a swarm that never got there has shown nothing about it.
public enum Sighting: String, Hashable, Sendable, CaseIterable {
  // Of the process.
  case crashedBeforeCommit = "the process ended before a commit"
  case crashedAfterCommit = "the process ended after a commit"
  case crashedAfterEffect = "the process ended after an effect"
  case storeRefused = "the store refused a checkpoint"
  case readRefused = "the store could not give items"
  case lateAnswer = "an answer of the past came once more"
  case suspended = "the process was suspended"
  case diedAsleep = "the process died while it was suspended"
  case shortInterrupted = "a request was stopped at the end of an allowance"
  case personRetried = "a person let paused or failed items go on"
  // Of transfers.
  case transferAdopted = "a transfer outlived its process"
  case transferVanished = "a transfer was forgotten by the service"
  case transferBroke = "the connection of a transfer broke"
  case serviceBrokeDown = "the transfer service broke down"
  case challengeAnswered = "a challenge was answered in place"
  case beginRenewed = "a request was made anew when its transfer began"
  case askedAgain = "a transfer asked a new process again"
  // Of the disk.
  case diskFull = "the disk was full"
  case waitedForDisk = "an item waited for the disk budget"
  case waitedForTransfers = "an item waited for the budget of transfers"
  case waitedForAllowance = "an item waited for an allowance"
  case waitedForRunStep = "an item waited for a step of run scope"
  case waitedForRenewal = "a transfer waited for its request anew"
  // Of the server.
  case outcomeUnknown = "an outcome was unknown"
  case probedDone = "a probe said done"
  case probedOpen = "a probe said not done"
  case keyRepeated = "the server knew a key again"
  case resultRefused = "a dead result was refused"
  case reissued = "a step was done anew"
  case throttled = "the server asked to be left alone"
  case duplicated = "the network delivered a request twice"
  case abandoned = "what an item left at the server was taken back"
  case clockJumped = "the server's clock jumped"
  // Of time.
  case deviceClockJumped = "the device's clock was put"
  case deviceRestarted = "the device was started anew with a clock that had been put"
}

/// A bug that only the swarm's own shell can have, to see that the swarm finds it.
public enum PlantedBug: String, Hashable, Sendable, CaseIterable {
  /// Effects are performed before the checkpoint that demands them is durable.
  case commitAfterPerform = "commit-after-perform"
  /// An answer to an earlier attempt counts as one to the present.
  case fencingOff = "fencing-off"
  /// An interruption counts as a failed attempt.
  case interruptionCounts = "interruption-counts"
  /// The files of an item that is paused or has failed are not deleted.
  case releaseForgotten = "release-forgotten"
  /// The row of an item that is done is not written.
  case rowForgotten = "row-forgotten"
}
