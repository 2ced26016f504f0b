import Synchronization

/// The name of a file, as stored in each location.
///
/// A document has tens of thousands of locations. Each name is therefore stored once, for the life of the process, so that
/// copying a location counts no references.
package struct FileName: Hashable, Sendable {
  private final class Storage: Sendable {
    package let text: String

    init(_ text: String) { self.text = text }
  }

  private static let known = Mutex<[String: FileName]>([:])

  private let storage: Unmanaged<Storage>

  init(_ text: String) {
    self = Self.known.withLock { known in
      if let name = known[text] { return name }
      let name = FileName(Unmanaged.passRetained(Storage(text)))
      known[text] = name
      return name
    }
  }

  private init(_ storage: Unmanaged<Storage>) { self.storage = storage }
  package var text: String { storage._withUnsafeGuaranteedRef { $0.text } }

  package static func == (left: Self, right: Self) -> Bool {
    left.storage.toOpaque() == right.storage.toOpaque()
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(storage.toOpaque()) }
}
