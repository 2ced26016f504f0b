/// The shape of a command's JSON output.
package indirect enum OutputShape: Sendable {
  /// Any JSON, as a server or an author chose it.
  case anything
  case text
  /// A moment in UTC (RFC 3339), such as `2026-03-14T10:15:02.100Z`.
  case time
  case flag
  /// A whole number, at least 0.
  case count
  /// A number of either sign.
  case number
  /// A number, at least 0.
  case amount
  case word([String])
  case list(OutputShape)
  /// An object whose names are those of other things: inputs, steps, header fields.
  case map(OutputShape)
  case object([OutputMember])
  /// Objects that are distinguished by their member `event`.
  case events([OutputEvent])
  case either([(title: String, members: [OutputMember])])

  /// One of the raw values of `type`.
  package static func words<Words: CaseIterable & RawRepresentable<String>>(_ type: Words.Type)
    -> Self
  {
    .word(type.allCases.map(\.rawValue))
  }
}

package struct OutputMember: Sendable {
  package let name: String
  package let shape: OutputShape
  /// A sentence: its meaning and its unit.
  let summary: String
  let isRequired: Bool
  /// The name of its source, in the stored form of an event.
  package let stored: String

  package static func always(
    _ name: String, _ shape: OutputShape, _ summary: String, stored: String? = nil
  ) -> Self {
    Self(name: name, shape: shape, summary: summary, isRequired: true, stored: stored ?? name)
  }

  /// A member that is absent if there is nothing to report; `null` is never written for it.
  package static func maybe(
    _ name: String, _ shape: OutputShape, _ summary: String, stored: String? = nil
  ) -> Self {
    Self(name: name, shape: shape, summary: summary, isRequired: false, stored: stored ?? name)
  }
}

/// A kind of object that is distinguished by its member `event`.
package struct OutputEvent: Sendable {
  package let name: String
  let summary: String
  package let members: [OutputMember]

  package init(_ name: String, _ summary: String, _ members: [OutputMember] = []) {
    (self.name, self.summary, self.members) = (name, summary, members)
  }
}

// MARK: JSON Schema

extension OutputShape {
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .anything: break
    case .text: writer.string("type", "string")
    case .time:
      writer.string("type", "string")
      writer.string("format", "date-time")
    case .flag: writer.string("type", "boolean")
    case .count:
      writer.string("type", "integer")
      writer.int("minimum", 0)
    case .number: writer.string("type", "number")
    case .amount:
      writer.string("type", "number")
      writer.int("minimum", 0)
    case .word(let words): writer.array("enum") { for word in words { $0.string(nil, word) } }
    case .list(let element):
      writer.string("type", "array")
      writer.object("items") { element.write(to: &$0) }
    case .map(let value):
      writer.string("type", "object")
      writer.object("additionalProperties") { value.write(to: &$0) }
    case .object(let members): Self.write(members, to: &writer)
    case .events(let events): writer.array("oneOf") { for event in events { event.write(to: &$0) } }
    case .either(let objects):
      writer.array("oneOf") {
        for object in objects {
          $0.object {
            $0.string("title", object.title)
            Self.write(object.members, to: &$0)
          }
        }
      }
    }
  }

  /// - Parameter event: The value of the member `event`, if the object is one of several.
  fileprivate static func write(
    _ members: [OutputMember], event: String? = nil, to writer: inout JSONWriter
  ) {
    writer.string("type", "object")
    writer.object("properties") {
      if let event { $0.object("event") { $0.string("const", event) } }
      for member in members {
        $0.object(member.name) {
          $0.string("description", member.summary)
          member.shape.write(to: &$0)
        }
      }
    }
    let required = (event == nil ? [] : ["event"]) + members.filter(\.isRequired).map(\.name)
    if !required.isEmpty {
      writer.array("required") { for name in required { $0.string(nil, name) } }
    }
    writer.bool("additionalProperties", false)
  }
}

extension OutputEvent {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object {
      $0.string("title", name)
      $0.string("description", summary)
      OutputShape.write(members, event: name, to: &$0)
    }
  }
}
