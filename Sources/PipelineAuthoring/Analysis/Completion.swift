public import PipelineDocument
import PipelineScenarios

/// Something that could stand at a place of a document.
public struct Completion: Hashable, Sendable {
  /// What it is, for an editor's symbol beside it.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A key of the language.
    case key
    /// A word that may stand behind a key.
    case value
    /// An input.
    case input
    /// A step.
    case step
    /// An output of a step.
    case output
    /// A variable of expressions, or a part of one.
    case variable
    /// A field of a value.
    case field
    /// A function or a macro.
    case function
    /// A constant.
    case constant
    /// A piece of text to fill in.
    case snippet
  }

  /// What is shown, and compared with what has been typed.
  public let label: String
  /// What it is.
  public let kind: Kind
  /// A type or a signature, in a few words.
  public let detail: String?
  /// What it means, in Markdown.
  public let documentation: String?
  /// The stretch of one line that it replaces.
  public let range: TextRange
  /// The text to put there.
  public let text: String
  /// The same with places to fill in, `$1` and `${1:name}`, in the form of the Language Server Protocol.
  public let snippet: String?
  /// Orders completions; what comes first is likelier.
  public let sortText: String
}

/// What is known about the text at a place.
public struct Hover: Hashable, Sendable {
  /// What it is, in Markdown.
  public let markdown: String
  /// The stretch of text that it is about.
  public let range: TextRange
}

/// A part of a document with a name.
public struct DocumentSymbol: Hashable, Sendable {
  /// What it is.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A group of others.
    case group
    /// An input.
    case input
    /// A retry policy, or credentials.
    case policy
    /// A step.
    case step
    /// A loop.
    case loop
    /// An output of a step.
    case output
  }

  /// The name.
  public let name: String
  /// A type or an action, in a word.
  public let detail: String?
  /// What it is.
  public let kind: Kind
  /// All of it.
  public let range: TextRange
  /// Its name; within ``range``.
  public let nameRange: TextRange
  /// What it holds.
  public let children: [DocumentSymbol]
}

/// Why a name cannot be changed: one sentence, lower case, no final stop.
public struct RenameRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason.
  public let message: String

  /// The reason.
  public var description: String { message }
}
