/// The element that is being written at a position, derived from the text around it, which need not parse.
struct CursorContext {
  enum Element: Hashable {
    case key(String)
    case item(SourcePosition)
  }

  /// From the root to the mapping, list or value that contains the cursor.
  private(set) var path: [Element] = []
  /// The keys of the mapping at the end of ``path``, apart from the one at the cursor.
  private(set) var siblings: Set<String> = []
  private(set) var allowsKey = true
  private(set) var allowsValue = true
  private(set) var isFlow = false
  private(set) var isQuoted = false
  private(set) var hasColon = false
  /// The columns of the word at the cursor, from 0.
  private(set) var word = 0..<0
  private(set) var expression: ExpressionCursor?
  /// The 0-based column of the mapping on the cursor's line.
  private(set) var indentation = 0
  private var scalarStart, flowStart: (line: Int, column: Int)?
  private let lines: LineTable
  private let line, column: Int

  init(_ lines: LineTable, at position: SourcePosition) {
    self.lines = lines
    line = position.line - 1
    column = position.column - 1
    let current = OutlineLine(lines.scalars(line))
    readLine(current)
    if !isInText, current.isComment(at: column) {
      allowsKey = false
      allowsValue = false
      return
    }
    readExpression(current)
    if flowStart != nil {
      // An expression inside a bracket is below the bracket's keys too.
      readFlow()
    } else if scalarStart != nil {
      allowsKey = false
      allowsValue = false
    }
  }

  /// Whether the cursor's line belongs to a block text, or to a quoted text that is open: no comment can start there.
  private var isInText: Bool {
    guard let start = scalarStart else { return false }
    let written = lines.scalars(start.line).dropFirst(start.column)
    guard let first = written.first else { return false }
    if first == "|" || first == ">" { return true }
    guard first == "\"" || first == "'" else { return false }
    return written.count < 2 || written.last { $0 != " " && $0 != "\t" } != first
  }

  private mutating func readLine(_ current: OutlineLine) {
    word = wordRange(in: current.scalars, from: current.column)
    if let valueStart = current.valueStart, column >= valueStart || column > current.column,
      let key = current.key, column > keyEnd(current)
    {
      // After a key on its own line.
      allowsKey = false
      path.append(.key(key))
      word = wordRange(in: current.scalars, from: min(valueStart, column))
      noteValue(current.value, line: line, start: valueStart)
    } else if column < current.column {
      allowsKey = current.isEmpty || current.column >= current.scalars.count
      allowsValue = allowsKey
      word = column..<column
    } else {
      hasColon = current.key != nil
      noteValue(
        current.scalars[min(current.column, current.scalars.count)...], line: line,
        start: current.column)
    }
    indentation = current.isEmpty ? column : current.column
    var walk = Ascent(current: current, line: line, mappingColumn: indentation)
    ascend(&walk, collectsSiblings: path.isEmpty)
    path = walk.path.reversed() + path
    if allowsKey { collectBelow(indentation, from: line + 1) }
  }

  private func keyEnd(_ current: OutlineLine) -> Int {
    var index = current.column
    let end = current.valueStart ?? index
    while index < end, current.scalars[index] != ":" { index += 1 }
    return index
  }

  /// A bracket or a text can continue on the lines below.
  private mutating func noteValue(_ value: ArraySlice<Unicode.Scalar>, line: Int, start: Int) {
    guard let first = value.first, scalarStart == nil, flowStart == nil else { return }
    if first == "{" || first == "[" {
      if line < self.line || start < column { flowStart = (line, start) }
    } else if line < self.line {
      scalarStart = (line, start)
    }
  }

  private func wordRange(in scalars: [Unicode.Scalar], from floor: Int) -> Range<Int> {
    var start = min(column, scalars.count)
    var end = start
    while start > max(floor, 0), scalars[start - 1].isWordPart { start -= 1 }
    while end < scalars.count, scalars[end].isWordPart { end += 1 }
    return start..<end
  }

  private struct Ascent {
    enum Level {
      case mapping(Int)
      case list(Int)
    }

    var path: [Element] = []
    var level: Level

    init(current: OutlineLine, line: Int, mappingColumn: Int) {
      level = .mapping(mappingColumn)
      enter(current.dashes, line: line)
    }

    mutating func enter(_ dashes: some BidirectionalCollection<Int>, line: Int) {
      for dash in dashes.reversed() {
        path.append(.item(SourcePosition(line: line + 1, column: dash + 1)))
        level = .list(dash)
      }
    }
  }

  private mutating func ascend(_ walk: inout Ascent, collectsSiblings: Bool) {
    var collects = collectsSiblings && walk.path.isEmpty
    var index = line - 1
    while index >= 0 {
      defer { index -= 1 }
      let above = OutlineLine(lines.scalars(index))
      if above.isEmpty { continue }
      switch walk.level {
      case .mapping(let column):
        if above.column == column, above.key != nil || !above.dashes.isEmpty {
          if collects, let key = above.key { siblings.insert(key) }
          if !above.dashes.isEmpty {
            walk.enter(above.dashes, line: index)
            collects = false
          }
        } else if above.column < column, let key = above.key {
          take(above, key, at: index, &walk)
          collects = false
        } else if let dash = above.dashes.last, dash < column {
          walk.enter(above.dashes.filter { $0 < column }, line: index)
          collects = false
        }
      case .list(let dash):
        let start = above.start
        if let inner = above.dashes.lastIndex(of: dash) {
          if inner > 0 { walk.enter(above.dashes[..<inner], line: index) }
        } else if start <= dash, let key = above.key, above.column <= dash {
          take(above, key, at: index, &walk)
        } else if start < dash, !above.dashes.isEmpty {
          walk.enter(above.dashes.filter { $0 < dash }, line: index)
        }
        collects = false
      }
      if case .mapping(0) = walk.level, !collects { return }
    }
  }

  private mutating func take(
    _ above: OutlineLine, _ key: String, at index: Int, _ walk: inout Ascent
  ) {
    if let start = above.valueStart { noteValue(above.value, line: index, start: start) }
    walk.path.append(.key(key))
    walk.level = .mapping(above.column)
    walk.enter(above.dashes, line: index)
  }

  private mutating func collectBelow(_ column: Int, from first: Int) {
    var index = first
    while index < lines.count {
      defer { index += 1 }
      let below = OutlineLine(lines.scalars(index))
      if below.isEmpty { continue }
      if below.start < column { return }
      if below.start == column, below.dashes.isEmpty, let key = below.key { siblings.insert(key) }
    }
  }

  /// The longest multi-line text examined around a cursor, in lines.
  private static let window = 200

  private func joined(from start: (line: Int, column: Int)) -> (
    scalars: [Unicode.Scalar], lineStarts: [Int]
  ) {
    var scalars: [Unicode.Scalar] = []
    var starts: [Int] = []
    let last = min(lines.count - 1, line + Self.window)
    for index in start.line...max(start.line, last) {
      starts.append(scalars.count)
      scalars += lines.scalars(index).dropFirst(index == start.line ? start.column : 0)
      scalars.append("\n")
    }
    return (scalars, starts)
  }

  private mutating func readFlow() {
    guard let start = flowStart, line - start.line <= Self.window else { return }
    let (scalars, lineStarts) = joined(from: start)
    let row = line - start.line
    let cursor = lineStarts[row] + column - (row == 0 ? start.column : 0)
    guard cursor >= 0 else { return }
    let flow = FlowCursor(scalars, cursor: cursor)
    guard let last = flow.frames.last else {
      allowsKey = false
      allowsValue = false
      return
    }
    isFlow = true
    for frame in flow.frames {
      if frame.isMapping {
        if let key = frame.key { path.append(.key(key)) }
      } else {
        let element = frame.elementStart
        let row = lineStarts.lastIndex { $0 <= element } ?? 0
        path.append(
          .item(
            SourcePosition(
              line: start.line + row + 1,
              column: element - lineStarts[row] + (row == 0 ? start.column : 0) + 1)))
      }
    }
    isQuoted = flow.isQuoted
    allowsKey = last.isMapping && last.key == nil && !flow.isQuoted
    allowsValue = last.key != nil || !last.isMapping
    siblings = allowsKey ? flow.siblings : []
    let text = lines.scalars(line)
    word = wordRange(in: text, from: 0)
    hasColon = text.dropFirst(word.upperBound).first { $0 != " " } == ":"
  }

  private mutating func readExpression(_ current: OutlineLine) {
    expression = Self.expression(in: current.scalars, cursor: column)
    guard expression == nil, let start = scalarStart, line - start.line <= Self.window
    else { return }
    let (scalars, lineStarts) = joined(from: start)
    expression = Self.expression(in: scalars, cursor: lineStarts[line - start.line] + column)
  }

  private static func expression(in scalars: [Unicode.Scalar], cursor: Int) -> ExpressionCursor? {
    var scanner = TemplateScanner(scalars.text)
    while let piece = scanner.next() {
      switch piece {
      case .text: continue
      case .expression(let inner):
        if inner.lowerBound > cursor { return nil }
        if inner.upperBound >= cursor {
          let written = plain(scalars, inner, cursor: cursor)
          return ExpressionCursor(written.text, cursor: written.cursor)
        }
      case .unclosed(let start):
        guard cursor >= start + 3 else { return nil }
        let written = plain(scalars, (start + 3)..<scalars.count, cursor: cursor)
        return ExpressionCursor(written.text, cursor: written.cursor, isClosed: false)
      }
    }
    return nil
  }

  /// A part of a text without the backslashes that double quotes of YAML need, and the cursor in it.
  private static func plain(
    _ scalars: [Unicode.Scalar], _ range: Range<Int>, cursor: Int
  ) -> (text: [Unicode.Scalar], cursor: Int) {
    guard scalars[range].contains("\\"), OutlineLine.isDoubleQuoted(scalars[..<range.lowerBound])
    else { return (Array(scalars[range]), cursor - range.lowerBound) }
    var text: [Unicode.Scalar] = []
    var place = 0
    var index = range.lowerBound
    while index < range.upperBound {
      let isEscape =
        scalars[index] == "\\" && index + 1 < range.upperBound
        && (scalars[index + 1] == "\"" || scalars[index + 1] == "\\")
      if isEscape { index += 1 }
      if index < cursor { place = text.count + 1 }
      text.append(scalars[index])
      index += 1
    }
    return (text, place)
  }
}
