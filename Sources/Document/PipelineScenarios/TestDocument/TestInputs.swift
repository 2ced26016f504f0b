enum TestInput {
  case value(Value)
  case files([TestFile])
  case folder(String, [TestFile])
  /// It is invalid, which was reported.
  case broken
}

struct TestValues {
  package var values: [String: Value] = [:]
  var secrets: [String: Value] = [:]
  package var files: [String: [TestFile]] = [:]
  /// Files in folders of the user, with absolute paths.
  package var saved: [TestFile] = []

  /// The number of items of the run, if it is known before the start.
  func itemCount(of pipeline: Pipeline) -> Int? {
    var count = 0
    for loop in pipeline.loops {
      guard loop.condition == nil, let input = loop.filesInput, let files = files[input]
      else { return nil }
      count += files.count
    }
    return count
  }
}

extension TestReader {
  package func inputs(_ node: YAMLNode) -> [String: TestInput] {
    var inputs: [String: TestInput] = [:]
    for (name, value) in reader.map(node, of: "input values by name") ?? [] {
      guard let declaration = pipeline.inputs.first(where: { $0.name == name.value }) else {
        let names = pipeline.inputs.map(\.name)
        reader.report(
          .unknownInput, "the pipeline has no input '\(name.value)'", unknown: name, among: names,
          help: names.isEmpty ? "it has no inputs" : "the inputs are \(quotedList(names))")
        continue
      }
      inputs[name.value] = input(declaration, value) ?? .broken
    }
    return inputs
  }

  private func input(_ declaration: InputDeclaration, _ node: YAMLNode) -> TestInput? {
    switch declaration.kind {
    case .files:
      guard let elements = reader.list(node, of: "files such as '{ name: a.jpg, size: 2 MiB }'")
      else { return nil }
      var files: [TestFile] = []
      for element in elements { files += self.files(element, files.count) }
      return .files(files)
    case .file: return .files(Array(files(node, 0).prefix(1)))
    case .folder where node.sequence != nil:
      // Its files are found by the download that may keep them.
      let there = (node.sequence ?? []).flatMap { files($0, 0) }.map { file in
        TestFile(
          file: FileValue(
            path: "/test/\(declaration.name)/\(file.file.relative)", name: file.file.name,
            relative: file.file.relative, size: file.file.size, modified: file.file.modified),
          content: file.content)
      }
      return .folder("/test/\(declaration.name)", there)
    case .string, .int, .bool, .url, .duration, .size, .folder, .secret:
      guard let text = reader.scalarText(node, expected: "a value as text") else { return nil }
      guard declaration.kind != .folder || text.value.hasPrefix("/") else {
        collector.report(
          .invalidDefault,
          "input '\(declaration.name)': expected an absolute path, found '\(text.value)'",
          at: text.range, help: "or a list of the files that are in the folder")
        return nil
      }
      do throws(InputValues.Problem) {
        return .value(try InputValues.parse(declaration, text.value))
      } catch {
        collector.report(
          error.code, "input '\(declaration.name)': \(error.message)", at: text.range)
        return nil
      }
    }
  }

  private static let countLimit = 100_000

  private func files(_ node: YAMLNode, _ before: Int) -> [TestFile] {
    guard let fields = reader.fields(node, .sourceFile),
      let name = fields["name"].flatMap({ reader.text($0, expected: "a file name") })
    else { return [] }
    let content = fields["text"].flatMap { reader.scalarText($0, expected: "the file's content") }
      .map { Array($0.value.utf8) }
    let size = fields["size"].flatMap(reader.size) ?? Int64(content?.count ?? 0)
    let count = fields.integer("count") ?? 1
    guard count <= Self.countLimit else {
      collector.report(
        .outOfRange, "'count' is \(count), expected at most \(Self.countLimit)",
        at: fields["count"].map(reader.range) ?? fields.headRange)
      return []
    }
    if count > 1, !name.value.contains("*") {
      collector.report(
        .invalidName, "\(count) files cannot all have the name '\(name.value)'", at: name.range,
        help: "write '*' where each file's number goes")
    }
    let type = fields["content_type"].flatMap { reader.text($0, expected: "a media type") }?.value
    return (0..<count).map { index in
      let name = name.value.replacing("*", with: "\(index + 1)")
      return TestFile(
        file: FileValue(
          path: "/test/\(before + index)/\(name)",
          name: String(
            name[(name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex)...]),
          relative: name, size: size,
          modified: 1_767_225_600_000_000_000, contentType: type), content: content)
    }
  }

  /// The values of a case, with the pipeline's defaults for those that the test does not set.
  package func values(
    _ inputs: [String: TestInput], of name: Located<String>?, at range: TextRange
  ) -> TestValues {
    var values = TestValues()
    for declaration in pipeline.inputs {
      switch inputs[declaration.name] {
      case .broken?: continue
      case .files(let files)?:
        values.files[declaration.name] = files
        if declaration.kind == .file, let only = files.first {
          values.values[declaration.name] = only.file.value
        }
      case .folder(let path, let files)?:
        values.values[declaration.name] = .string(path)
        values.saved += files
      case .value(let value)?:
        if declaration.kind == .secret {
          values.secrets[declaration.name] = value
        } else {
          values.values[declaration.name] = value
        }
      case nil:
        if let value = fallback(declaration) {
          values.values[declaration.name] = value
        } else {
          collector.report(
            .missingKey, "the case sets no value for the input '\(declaration.name)'",
            at: name?.range ?? range, help: help(declaration))
        }
      }
    }
    return values
  }

  private func fallback(_ declaration: InputDeclaration) -> Value? {
    // Default paths name files on the author's disk, which do not exist in a test.
    let isPath = [.file, .files, .folder].contains(declaration.kind)
    guard !isPath || declaration.defaultText == nil else { return nil }
    return (try? InputValues.fallback(declaration)) ?? nil
  }

  private func help(_ declaration: InputDeclaration) -> String {
    let value =
      switch declaration.kind {
      case .files: "[{ name: a.jpg, size: 2 MiB }]"
      case .file: "{ name: a.jpg, size: 2 MiB }"
      case .folder: "/target"
      case .string, .int, .bool, .url, .duration, .size, .secret: "…"
      }
    return "write 'inputs: { \(declaration.name): \(value) }' in the case, or once for all cases"
  }
}
