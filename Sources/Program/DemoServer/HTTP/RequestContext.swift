/// One request on its way through the server, with the data for its journal entry.
struct RequestContext {
  let request: Request
  let route: Route
  let draw: FaultInjector.Draw
  var entry: JournalEntry

  init(request: Request, route: Route, draw: FaultInjector.Draw, entry: JournalEntry) {
    (self.request, self.route, self.draw, self.entry) = (request, route, draw, entry)
    self.entry.uploadID = route.uploadID
  }

  var bearerToken: String? {
    guard let value = request.headers[.authorization] else { return nil }
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return String(parts[1])
  }

  mutating func note(_ event: JournalEntry.Event, _ upload: Upload) {
    entry.event = event
    note(upload)
  }

  mutating func note(_ event: JournalEntry.Event, _ file: StoredFile) {
    entry.event = event
    (entry.sha256, entry.size) = (file.sha256, file.size)
  }

  mutating func note(_ upload: Upload) {
    entry.uploadID = upload.id
    entry.fileName = upload.name
    entry.sha256 = upload.sha256 ?? upload.announcedSHA256
    entry.size = upload.size
  }

  func entry(answeredBy draft: ResponseDraft) -> JournalEntry {
    var entry = entry
    entry.status = draft.status.code
    return entry
  }

  /// The entry of a request that ended without a response and without an effect.
  func interrupted() -> JournalEntry {
    var entry = entry
    entry.event = .interrupted
    return entry
  }
}
