import PipelineDocument
import YAMLSyntax

struct DeviceReader {
  let reader: DocumentReader

  package func device(_ node: YAMLNode) -> ScenarioDevice {
    guard node.mapping != nil else { return ScenarioDevice(profile: profile(node) ?? "ios17") }
    guard let fields = reader.fields(node, .device) else { return ScenarioDevice(profile: "ios17") }
    var device = ScenarioDevice(profile: fields["profile"].flatMap(profile) ?? "ios17")
    for key in fields.construct.keys {
      guard let construct = key.shape.construct, let node = fields[key.name],
        let part = reader.fields(node, construct)
      else { continue }
      for field in part.construct.keys where part.has(field.name) {
        set("\(key.name).\(field.name)", field, part, in: &device)
      }
    }
    return device
  }

  private func set(
    _ name: String, _ key: Key, _ part: FieldReader, in device: inout ScenarioDevice
  ) {
    guard let node = part[key.name] else { return }
    switch key.shape {
    case .duration: device.durations[name] = reader.duration(node)
    case .fraction, .number: device.numbers[name] = part.number(key.name)
    case .integer: device.numbers[name] = part.integer(key.name).map(Double.init)
    case .size: device.numbers[name] = reader.size(node).map(Double.init)
    case .flag: device.words[name] = reader.flag(node).map { "\($0.value)" }
    case .choice(let words): device.words[name] = word(node, words, "value")
    default: break
    }
  }

  private func profile(_ node: YAMLNode) -> String? {
    word(node, ScenarioDevice.profiles, "profile")
  }

  private func word(_ node: YAMLNode, _ words: [String], _ what: String) -> String? {
    guard let text = reader.text(node, expected: what) else { return nil }
    guard words.contains(text.value) else {
      reader.report(
        .invalidChoice,
        "invalid \(what) '\(text.value)', expected \(quotedList(words, joinedBy: "or"))",
        unknown: text, among: words)
      return nil
    }
    return text.value
  }
}
