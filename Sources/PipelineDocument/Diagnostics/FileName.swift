import Synchronization

/// The name of a file, as each place in it carries it.
///
/// A document has tens of thousands of places. Names are therefore kept once, for the life of the process, and a place is plain
/// memory: no reference is counted when one is copied, least of all one that several threads count at once.
package struct FileName: Hashable, Sendable {
  private final class Storage: Sendable {
    package let text: String

    init(_ text: String) { self.text = text }
  }

  private static let known = Mutex<[String: FileName]>([:])

  private let storage: Unmanaged<Storage>

  /// The one name that reads `text`.
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
