/// A file to write.
public struct Materialize<S: Stage>: Sendable {
  /// The content of the file.
  public enum Source: Sendable {
    /// A whole file, or `length` bytes of it from `offset`.
    case file(S.Expression, range: ByteRange?)
    /// `multipart/form-data` (RFC 7578).
    case multipart([Part])
    /// A JSON text.
    case json(JSONForm<S.Template>)
    /// A text, UTF-8.
    case text(S.Template)
    /// An XML text, whose expressions are escaped, or become elements.
    case xml(S.Template)
    /// Texts and files, in order.
    case concat([Piece])
  }

  /// A range of bytes.
  public struct ByteRange: Sendable {
    /// First byte, from 0, an int.
    public let offset: S.Expression
    /// Number of bytes, an int.
    public let length: S.Expression

    /// Makes a range.
    public init(offset: S.Expression, length: S.Expression) {
      (self.offset, self.length) = (offset, length)
    }
  }

  /// A piece of a concatenation.
  public enum Piece: Sendable {
    case file(S.Expression, range: ByteRange?)
    /// A text, UTF-8.
    case text(S.Template)
  }

  /// A part of a multipart body.
  public struct Part: Sendable {
    /// The content of a part.
    public enum Content: Sendable {
      /// A field's text.
      case text(S.Template)
      /// A file's bytes, or `length` of them from `offset`.
      case file(S.Expression, range: ByteRange?, filename: S.Template?)
    }

    /// The field's name.
    public let name: String
    public let content: Content
    /// Its `Content-Type`, if set.
    public let contentType: String?
    /// Its other headers, in order.
    public let headers: [NamedTemplate<S>]

    /// Makes a part.
    public init(
      name: String, content: Content, contentType: String? = nil, headers: [NamedTemplate<S>] = []
    ) {
      (self.headers, self.name, self.content) = (headers, name, content)
      self.contentType = contentType
    }
  }

  /// The content of the file.
  public let source: Source
  /// Digests computed while the file is written, in one pass.
  public let digests: [DigestAlgorithm]

  /// Makes a materialization.
  public init(source: Source, digests: [DigestAlgorithm] = []) {
    (self.source, self.digests) = (source, digests)
  }
}

/// A body file as the author wrote it.
public typealias MaterializeTemplate = Materialize<Compiled>

extension Materialize: Equatable, Hashable where S == Compiled {}
extension Materialize.Source: Equatable, Hashable where S == Compiled {}
extension Materialize.Piece: Equatable, Hashable where S == Compiled {}
extension Materialize.ByteRange: Equatable, Hashable where S == Compiled {}
extension Materialize.Part: Equatable, Hashable where S == Compiled {}
extension Materialize.Part.Content: Equatable, Hashable where S == Compiled {}
