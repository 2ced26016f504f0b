import ArgumentParser
import CEL
import Foundation
import PipelineCommands
import PipelineCore
import PipelineEngine
import PipelineSQLite

/// A run that exists, and how to work on it.
struct RunTarget: ParsableArguments {
  @Argument(help: "The run, or the beginning of its name; the newest when left out.")
  var run: String?

  @OptionGroup var inputs: InputOptions
  @OptionGroup var state: StateOptions
  @OptionGroup var execution: ExecutionOptions
  @OptionGroup var form: FormatOptions
  @OptionGroup var reach: RootOption

  @Flag(help: "Go on with the changed file; steps that an item has passed must be as they were.")
  var acceptChanges = false

  @Flag(help: "Go on with the definition that the run began with, whatever the file says now.")
  var keepDefinition = false

  /// A run that is ours to work on.
  struct Opened {
    let store: SQLiteCheckpointStore
    let state: RunState
    let epoch: Int
  }

  /// Takes the run over, asks `prepare` for what happens to it first, and works on it until it
  /// rests.
  ///
  /// What another process has asked for meanwhile, or while a password is waited for, is honoured.
  func proceed(
    on folder: RunFolder, cancels: Bool = false, lock: RunLock? = nil,
    _ prepare: (Opened) async throws -> [Event]
  ) async throws {
    PrivateProcess.keepFiles()
    let lock = try lock ?? RunLock.take(folder)
    defer { withExtendedLifetime(lock) {} }
    let origin = folder.origin
    do {
      let definition = try await DefinitionChange(
        folder: folder, origin: origin, root: reach.folder ?? origin?.root
      ).settle(
        acceptChanges: acceptChanges, keepDefinition: keepDefinition)
      let server = origin?.demo == true ? try await EmbeddedServer.start(in: state.folder) : nil
      let outcome = await Result {
        try await work(folder, definition, server, cancels, prepare)
      }
      await server?.stop()
      try outcome.get()
    } catch let failure as StoreFailure {
      throw CommandFailure(storeFailure: failure)
    }
  }

  private func work(
    _ folder: RunFolder, _ definition: Definition, _ server: EmbeddedServer?, _ cancels: Bool,
    _ prepare: (Opened) async throws -> [Event]
  ) async throws {
    var resolver = InputResolver(
      pipeline: definition.pipeline, options: inputs, definitionFolder: definition.folder)
    resolver.root = reach.folder ?? folder.origin?.root
    if let server {
      resolver.presets = EmbeddedServer.presets(baseURL: server.baseURL)
      Terminal.error("embedded server: \(server.baseURL)")
    }
    let secrets = try resolver.resolveSecrets()
    let store = try await SQLiteCheckpointStore(
      path: folder.databasePath, pipeline: definition.pipeline)
    let epoch = try await store.claim()
    var loaded = try await store.load()
    try resolver.refuseOthers(than: loaded.inputs, patterns: folder.origin?.patterns)
    loaded.secrets = secrets
    if let server { loaded.inputs["server"] = .string(server.baseURL) }
    // A run that somebody gave up meanwhile is not made to do anything else first.
    let isGivenUp = !cancels && RunRequest.cancel.isLeft(for: folder)
    let first =
      isGivenUp ? [] : try await prepare(Opened(store: store, state: loaded, epoch: epoch))
    let cancels = cancels || isGivenUp
    let session = RunSession(
      folder: folder, pipeline: definition.pipeline, options: execution, format: form.format,
      isCancelling: cancels)
    // A run that is cancelled from here must not first begin new work.
    // To a run that goes on it says that a person asks for it: long waits are over.
    let goesOn = loaded.status == .paused || loaded.status == .running
    let unpause: [Event] = goesOn && !cancels ? [.unpaused] : []
    let cancel: [Event] = cancels ? [.cancelRequested] : []
    _ = try await session.execute(
      store: store, state: loaded, epoch: epoch,
      events: cancels ? cancel : [.runResumed] + unpause + first)
  }
}
