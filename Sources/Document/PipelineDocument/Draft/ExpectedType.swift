package enum ExpectedType {
  case bool, string, optionalString, int, duration, timestamp, file, list
  /// Anything that can be stored.
  case value
  /// Anything with a single text form: a string, a number or a Boolean.
  case textual
  /// Anything with a single text form, or nothing.
  case header, headers
  /// Anything with a single text form, or elements: a map.
  case xml, json
  /// A point in time, or a duration until then.
  case moment

  package func accepts(_ type: ValueType) -> Bool {
    if type == .dyn { return true }
    switch self {
    case .value: return isValue(type)
    case .bool: return type == .bool
    case .string: return type == .string
    case .optionalString:
      switch type {
      case .null: return true
      case .nullable(let inner), .optional(let inner): return accepts(inner)
      default: return type == .string
      }
    case .textual: return [.string, .int, .uint, .double, .bool].contains(type)
    case .header: return isHeader(type)
    case .headers:
      switch type {
      case .map(let key, let value): return (key == .string || key == .dyn) && isHeaderValue(value)
      case .object(let object): return object.fields.allSatisfy { isHeaderValue($0.type) }
      case .nullable(let inner): return accepts(inner)
      default: return type == .null
      }
    case .xml:
      switch type {
      case .map, .object: return isJSON(type)
      default: return isHeader(type) || type == .timestamp || type == .duration
      }
    case .json: return isJSON(type)
    case .int: return type == .int
    case .duration: return type == .duration
    case .timestamp: return type == .timestamp
    case .moment: return type == .timestamp || type == .duration
    case .file: if case .object(let object) = type { return object == Variables.file }
    case .list: if case .list = type { return true }
    }
    return false
  }

  private func isValue(_ type: ValueType) -> Bool {
    switch type {
    case .type, .optional, .opaque: false
    case .list(let element), .nullable(let element): isValue(element)
    case .map(let key, let value): isValue(key) && isValue(value)
    default: true
    }
  }

  private func isHeader(_ type: ValueType) -> Bool {
    switch type {
    case .null, .dyn: true
    case .nullable(let inner), .optional(let inner): isHeader(inner)
    default: ExpectedType.textual.accepts(type)
    }
  }

  /// A header of several lines may be a list.
  private func isHeaderValue(_ type: ValueType) -> Bool {
    if case .list(let element) = type { return isHeader(element) }
    return isHeader(type)
  }

  private func isJSON(_ type: ValueType) -> Bool {
    switch type {
    case .null, .bool, .int, .uint, .double, .string, .bytes, .timestamp, .duration, .dyn: true
    case .list(let element), .nullable(let element): isJSON(element)
    case .map(let key, let value): (key == .string || key == .dyn) && isJSON(value)
    case .object(let object): object != Variables.file
    case .parameter: true
    case .type, .optional, .opaque: false
    }
  }

  package var phrase: String {
    switch self {
    case .value: "a value that can be stored"
    case .bool: "a bool"
    case .string, .optionalString: "a string"
    case .textual: "a string, a number or a bool"
    case .header: "a string, a number, a bool or null"
    case .headers: "headers, as a map by name"
    case .xml: "a string, a number, a bool or a map of elements"
    case .json: "a value that JSON can hold"
    case .int: "an int"
    case .duration: "a duration"
    case .timestamp: "a timestamp"
    case .moment: "a timestamp or a duration"
    case .file: "a file"
    case .list: "a list"
    }
  }

  package func help(for type: ValueType) -> String? {
    switch (self, type) {
    case (.xml, .list): "name it, as in '{\"Part\": list}'"
    case (.textual, .timestamp), (.textual, .duration), (.textual, .bytes), (.string, .int),
      (.string, .double), (.string, .uint), (.string, .bool), (.string, .timestamp):
      "convert it with 'string(…)'"
    case (.optionalString, _): ExpectedType.string.help(for: type)
    case (.moment, .string): "convert it with 'timestamp(…)' or 'duration(…)'"
    case (.timestamp, .string): "convert it with 'timestamp(…)'"
    case (.duration, .string): "convert it with 'duration(…)'"
    case (.duration, .int), (.duration, .double), (.duration, .uint):
      "for seconds, write 'seconds(…)'"
    case (.int, .double), (.int, .string), (.int, .uint): "convert it with 'int(…)'"
    case (.textual, .object(Variables.file)), (.json, .object(Variables.file)):
      "name a field of the file, such as 'name' or 'size'"
    default: nil
    }
  }
}
