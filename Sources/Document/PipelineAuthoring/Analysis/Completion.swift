/// A proposal for a position of a document.
public struct Completion: Hashable, Sendable {
  /// What an editor shows as the icon of an entry.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case key, value, input, step, output, variable, field, function, constant, snippet, header, file
    case folder
  }

  /// The text that is shown, and matched with the typed text.
  public let label: String
  public let kind: Kind
  /// A type or a signature, in a few words.
  public let detail: String?
  /// The documentation, in Markdown.
  public let documentation: String?
  /// The range of one line that it replaces.
  public let range: TextRange
  /// The replacement text.
  public let text: String
  /// The same with placeholders, `$1` and `${1:name}`, in the syntax of the Language Server Protocol.
  public let snippet: String?
  /// Sorts completions, likelier ones first.
  public let sortText: String
}

/// Information about the text at a position.
public struct Hover: Hashable, Sendable {
  /// The information, in Markdown.
  public let markdown: String
  /// The range of text that it describes.
  public let range: TextRange
}

/// A named part of a document.
public struct DocumentSymbol: Hashable, Sendable {
  /// What a symbol stands for, as editors distinguish them.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case group, input, policy, step, loop, output
  }

  public let name: String
  /// A type or an action, in one word.
  public let detail: String?
  public let kind: Kind
  /// The range of the whole part.
  public let range: TextRange
  /// The range of its name, within ``range``.
  public let nameRange: TextRange
  public let children: [DocumentSymbol]
}

/// Why a name cannot be changed: one sentence, lower case, no final full stop.
public struct RenameRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public let message: String

  /// The reason.
  public var description: String { message }
}
