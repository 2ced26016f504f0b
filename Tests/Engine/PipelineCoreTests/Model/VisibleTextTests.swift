import PipelineCore
import Testing

struct VisibleTextTests {
  @Test(arguments: [
    ("a name.jpg", "a name.jpg"), ("né🙂 文.jpg", "né🙂 文.jpg"),
    ("\u{1B}]0;title\u{07}", #"\u001b]0;title\u0007"#), ("\u{9B}31m", #"\u009b31m"#),
    ("\u{7F}", #"\u007f"#), ("two\nlines\r\tand a tab", #"two\nlines\r\tand a tab"#),
    ("gpj.\u{202E}exe", #"gpj.\u202eexe"#), ("\u{2066}a\u{2069}", #"\u2066a\u2069"#),
    ("\u{200E}\u{200F}\u{061C}", #"\u200e\u200f\u061c"#),
    ("pass\u{200B}word\u{FEFF}", #"pass\u200bword\ufeff"#),
    ("a\u{2028}b\u{2029}c", #"a\u2028b\u2029c"#), ("tag\u{E0001}", #"tag\udb40\udc01"#),
  ])
  func `characters that control, reverse or hide text are escaped`(text: String, shown: String) {
    #expect(text.visibleLine == shown)
  }

  @Test(arguments: [
    ("::error::x", #"\u003a:error::x"#), ("  ::warning::x", #"  \u003a:warning::x"#),
    ("a::b", "a::b"), ("at ##[error]x", #"at \u0023#[error]x"#),
    ("###vso[task.x]", #"#\u0023#vso[task.x]"#), ("## heading [1]", "## heading [1]"),
    ("a\n::error::x", #"a\n::error::x"#),
  ])
  func `text that a build server could treat as a command is escaped`(text: String, shown: String) {
    #expect(text.visibleLine == shown)
  }

  @Test func `a text keeps its lines and tabs, and no line is a command`() {
    #expect("a\tb\nc".visible == "a\tb\nc")
    #expect("a\n\t::error::b\n\u{1B}c\r".visible == "a\n\t\\u003a:error::b\n\\u001bc\\r")
  }
}
