import Foundation
import Testing

/// Messages, comments and pages are plain English: the worst patterns of earlier texts stay out.
struct PlainEnglishTests {
  /// A pattern that no text may have.
  struct Banned: Sendable, CustomStringConvertible {
    /// A regular expression; letter case does not count.
    let pattern: String
    /// What to write.
    let instead: String
    /// A text that has it.
    let wrong: String
    /// A similar text in good English, which must pass.
    let right: String

    var description: String { wrong }
  }

  private static let banned = [
    Banned(
      pattern: #"(?<!there )\bis no (?!longer\b|more\b|less\b|other\b|such\b)[a-z]"#,
      instead: "invalid NOUN '…', is not a NOUN", wrong: "'post' is no method",
      right: "there is no file; the key 'post' is no longer needed"),
    Banned(
      pattern: #"(?<![`"])\banew\b(?![`"])"#, instead: "again, reissued, reset",
      wrong: "the step is done anew",
      right: "the step is reissued with a new key; the member `anew`"),
    Banned(
      pattern: #"\bstands? (as|for|in|at|here|there|twice|alone|outside|behind|beside|between)\b"#,
      instead: "is, is used in, is defined", wrong: "the step stands outside of a loop",
      right: "a standalone step; the standard policy"),
    Banned(
      pattern: #"\bone of [^.\n]{1,80} stands\b"#, instead: "is required",
      wrong: "exactly one of `a`, `b` stands", right: "exactly one of `a`, `b` is required"),
    Banned(
      pattern:
        #"\b(is|are|was|were|be|has|have|had|may be|can be) (dead|died)\b(?! spot)|\bdies?\b"#,
      instead: "has expired, expires, ends", wrong: "when the token has died",
      right: "when the token has expired"),
    Banned(
      pattern: #"\b(what|which) (becomes|became|comes) of\b"#, instead: "the outcome of",
      wrong: "what became of the transfer", right: "the outcome of the transfer"),
    Banned(
      pattern: #"\b(it|that|this|what|history|sum) comes to\b"#,
      instead: "gives, results in, amounts to",
      wrong: "what the history comes to", right: "the entry comes too early"),
    Banned(
      pattern: #"\b(nobody|somebody|whoever)\b"#, instead: "no process, someone, anyone who",
      wrong: "nobody can know whether it took effect", right: "no process can know"),
    Banned(
      pattern: #"\bwhether [^.\n]{1,60}\bmay(?= that\b|[.,;:)]|$)"#,
      instead: "whether to allow …, whether … may VERB",
      wrong: "Whether networks may that the system calls expensive",
      right: "whether an item may enter the window"),
    Banned(
      pattern: #"\bin order:"#, instead: "Correct:, sorted:", wrong: "In order:",
      right: "in the order of the file:"),
    Banned(
      pattern: #"\bof run scope\b"#, instead: "run-level", wrong: "a step of run scope",
      right: "a run-level step"),
    Banned(
      pattern: #"\blets? (it |them )?go on\b|\bthe present one\b|\bat no time\b|\bfor ever\b"#,
      instead: "resumes, the current one, never, forever", wrong: "at no time is a secret stored",
      right: "a secret is never stored; it can repeat forever"),
    Banned(
      pattern: #"\bin vain\b|\bof no use\b|\bdone with (it|them)\b"#,
      instead: "pointless, useless, finished", wrong: "waiting longer is in vain",
      right: "waiting longer is pointless"),
    Banned(
      pattern: #"\bkept for later versions\b|\brefused until then\b"#, instead: "Reserved",
      wrong: "Kept for later versions", right: "Reserved: `a`"),
    Banned(
      pattern: #"\bmend(s|ed|ing)?\b(?!:)"#, instead: "fix", wrong: "mend the file first",
      right: "fix the file first, as recommended"),
    Banned(
      pattern: #"\b(an answer|the answer of|answers with)\b"#, instead: "response, responds with",
      wrong: "an answer such as 404", right: "a response such as 404"),
    Banned(
      pattern: #"\bfinal stop\b"#, instead: "final full stop", wrong: "without a final stop",
      right: "without a final full stop"),
    Banned(
      pattern: #"\|\s*\|\s*[^|\n]+\|\n\|(-+\|)+"#, instead: "a heading for every column",
      wrong: "| key | | what it is |\n|---|---|---|",
      right: "| key | default | description |\n|---|---|---|"),
  ]

  private static func matches(of banned: Banned, in text: String) throws -> [Range<String.Index>] {
    let expression = try NSRegularExpression(pattern: banned.pattern, options: .caseInsensitive)
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text))
      .compactMap { Range($0.range, in: text) }
  }

  /// Handwritten text; line numbers are those of the file.
  private struct Text: Sendable {
    let path: String
    let text: String
  }

  /// All sources, tests, pipelines, schemas and pages, but inputs of tests and this file.
  private static let texts: [Text] = {
    let folders = ["Sources", "Tests", "Pipelines", "Schemas", "docs"]
    let left = [
      "/Fixtures/", "/Conformance/", "/.build/", "PlainEnglishTests.swift",
    ]
    var paths = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile"]
    for folder in folders {
      let base = PackageFolder.root.appending(path: folder).path
      paths += (FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? [])
        .map { "\(folder)/\($0)" }.sorted()
    }
    return paths.filter { path in !left.contains { path.contains($0) } }.compactMap(prose)
  }()

  /// A file without quoted output and, in pages, quoted names of tests, with the same number of lines.
  ///
  /// Scripts have no extension, and start with `#!`.
  private static func prose(of path: String) -> Text? {
    let url = PackageFolder.root.appending(path: path)
    let kinds = ["swift", "md", "yaml", "yml", "json", "py", "txt", "js", "css", ""]
    guard kinds.contains(url.pathExtension), let data = try? Data(contentsOf: url),
      let text = String(data: data, encoding: .utf8),
      url.pathExtension != "" || text.hasPrefix("#!") || path == "Makefile"
    else { return nil }
    guard url.pathExtension == "md" else { return Text(path: path, text: text) }
    let quotes = /(?s)```console.*?```|`[A-Za-z]+Tests: [^`\n]*`/
    let prose = text.replacing(quotes) { match in String(match.output.filter { $0 == "\n" }) }
    return Text(path: path, text: prose)
  }

  @Test(arguments: banned)
  func `no text has the pattern`(_ banned: Banned) throws {
    #expect(Self.texts.count > 500)
    for (path, text) in Self.texts.map({ ($0.path, $0.text) }) {
      for range in try Self.matches(of: banned, in: text) {
        let line = text[..<range.lowerBound].count { $0 == "\n" } + 1
        Issue.record("\(path):\(line): \"\(text[range])\"; write: \(banned.instead)")
      }
    }
  }

  @Test(arguments: banned)
  func `a pattern finds only its banned text`(_ banned: Banned) throws {
    #expect(try Self.matches(of: banned, in: banned.wrong).count == 1)
    for other in Self.banned {
      #expect(try Self.matches(of: banned, in: other.right).isEmpty, "\(other.right)")
    }
  }
}
