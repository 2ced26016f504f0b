import Testing

/// The core decides without clock, generator or I/O, and decides every case (invariants 1 and 9
/// of the house's style).
struct PurityTests {
  private static let forbidden = [
    "Date()", "Date.now", ".now()", "ContinuousClock", "SuspendingClock", "Task {", "Task.sleep",
    "async ", "await ", "SystemRandomNumberGenerator", "FileManager", "print(", "fatalError(",
  ]

  @Test(arguments: ["Sources/Engine/PipelineCore", "Sources/Simulation/PipelineSimulator"])
  func `core and simulator have no clock, no generator, no task and no output`(
    folder: String
  ) throws {
    for file in try PackageFolder.swiftFiles(under: folder) {
      for (index, line) in file.lines.enumerated() where !isComment(line) {
        for word in Self.forbidden where line.contains(word) {
          Issue.record("\(file.path):\(index + 1) has '\(word)'")
        }
        if line.contains("random(in:"), !line.contains("using:") {
          Issue.record("\(file.path):\(index + 1) draws from a generator that is not in the state")
        }
      }
    }
  }

  @Test func `no transition has a default`() throws {
    let machine = try PackageFolder.swiftFiles(under: "Sources/Engine/PipelineCore/Machine")
    #expect(!machine.isEmpty)
    for file in machine {
      for (index, line) in file.lines.enumerated() where line.contains("default:") {
        #expect(line.contains(", default:"), "\(file.path):\(index + 1)")
      }
    }
  }

  @Test func `libraries neither print nor end the process`() throws {
    for file in try PackageFolder.swiftFiles(under: "Sources") where !file.isOfProgram {
      for (index, line) in file.lines.enumerated() where !isComment(line) {
        for word in [" print(", " exit(", "fatalError(", "try!", "as!"] where line.contains(word) {
          Issue.record("\(file.path):\(index + 1) has '\(word)'")
        }
      }
    }
  }

  private func isComment(_ line: Substring) -> Bool {
    line.drop { $0 == " " }.hasPrefix("//")
  }
}
