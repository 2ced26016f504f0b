import Foundation
import MachineSupport
import PipelineCore
import Testing

struct DifferentialTests {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["DIFF_OUT"] != nil))
  func `digests of walks`() throws {
    let environment = ProcessInfo.processInfo.environment
    let walks = environment["DIFF_WALKS"].flatMap { UInt64($0) } ?? 200
    let base = environment["DIFF_BASE"].flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
    let known = base.map { Set($0.split(separator: "\n").map(String.init)) }
    var out = ""
    func note(_ name: String, _ seed: UInt64, _ transcript: Transcript) -> Bool {
      var hash: UInt64 = 14_695_981_039_346_656_037
      for byte in transcript.text.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
      let line = "\(name)|\(seed)|\(hash)"
      if let known {
        if !known.contains(line) { out += "\(line)\n"; return true }
      } else {
        out += "\(line)\n"
      }
      return false
    }
    if environment["DIFF_WIDE"] == nil {
      for scope in TranscriptTests.scopes {
        for seed in 1...walks {
          if note(scope.name, seed, TranscriptTests.transcript(of: scope, seed: seed)) { break }
        }
      }
    }
    for scope in TranscriptTests.wideScopes {
      var found = 0
      for seed in 1...walks where found < 20 {
        if note(scope.name, seed, TranscriptTests.transcript(of: scope, seed: seed)) { found += 1 }
      }
    }
    try Data(out.utf8).write(to: URL(filePath: environment["DIFF_OUT"]!))
  }
}
