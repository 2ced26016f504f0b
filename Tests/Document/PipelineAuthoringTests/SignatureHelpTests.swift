import CEL
@testable import PipelineAuthoring
import PipelineDocument
import Testing

@testable import PipelineDocument

/// The signatures of functions while their arguments are written.
struct SignatureHelpTests {
  private static func help(_ value: String) -> SignatureHelp? {
    let text = AnalysisText(
      """
      pipeline: a
      inputs: { server: { type: url }, photos: { type: files } }
      steps:
        - for_each: photo
          in: ${{ inputs.photos }}
          steps:
            - id: ask
              request:
                method: POST
                \(value)
      """)
    return text.analysis.signatureHelp(at: text.position)
  }

  private static func active(_ help: SignatureHelp?) -> String? {
    guard let help else { return nil }
    let signature = help.signatures[help.activeSignature]
    guard help.activeParameter < signature.parameters.count else { return nil }
    let label = Array(signature.label.unicodeScalars)
    return String(String.UnicodeScalarView(label[signature.parameters[help.activeParameter]]))
  }

  @Test(arguments: [
    "u‸rl: a", "url: a(‸", "url: ${{ ‸ }}", "url: ${{ he‸x(b'a') }}", "url: ${{ hex(b'a')‸ }}",
    "url: ${{ (‸ }}", "url: ${{ [‸ }}", "url: ${{ unknown(‸ }}", "url: ${{ 'hex(‸' }}",
    "# ${{ hex(‸", "url: ${{ inputs.server.unknown(‸) }}",
  ])
  func `outside of a known function's parentheses there is no help`(value: String) {
    #expect(Self.help(value) == nil, "\(value)")
  }

  @Test(arguments: [
    ("url: ${{ hmac_sha256(‸ }}", "key: bytes"), ("url: ${{ hmac_sha256('a', ‸) }}", "message:"),
    ("url: ${{ hex(sha256('a', ‸)) }}", nil), ("url: ${{ hex(sha256(‸)) }}", "data:"),
    ("url: ${{ partSize(photo.size, 5 * MiB, ‸ }}", "parts: int"),
    ("url: ${{ partSize(min([1, 2]), (3), ‸ }}", "parts: int"),
    ("url: ${{ partSize([1, ‸ }}", "size: int"),
    ("url: ${{ hex('a, ‸", "bytes"), ("url: ${{ base64.encode(‸) }}", "bytes: bytes"),
    ("url: ${{ photo.name.replace('a', ‸) }}", "new: string"),
    ("url: ${{ string(photo.size).indexOf('a', ‸) }}", "from: int"),
    ("url: ${{ photo.name.matches(‸) }}", "pattern: string"),
    ("url: ${{ matches(‸) }}", "text: string"), ("url: ${{ matches('a', ‸) }}", "pattern: string"),
    ("url: ${{ [1].map(x, ‸) }}", "value"), ("url: ${{ [1].map(x, x.startsWith(‸)) }}", "prefix:"),
    ("url: ${{ cel.bind(a, ‸) }}", "value"), ("url: ${{ math.greatest(1, 2, 3, ‸) }}", "…"),
    ("url: ${{ [1].transformMapEntry(k, v, ‸) }}", "{newKey: value}"),
    ("url: \"${{ resolve('🙂', ‸\"", "reference: string"),
    ("url: \"${{ resolve(\\\"🙂, \\\", ‸) }}\"", "reference: string"),
    ("url: '${{ resolve(''a'', ‸) }}'", "reference: string"),
    ("text: |\n            é🙂\n            ${{ resolve('a',\n              ‸", "reference: string"),
    ("text: >-\n            ${{ resolve(‸) }}", "base: string"),
    ("headers: { A: \"🙂 ${{ header(‸) }}\" }", "headers: map"),
    ("headers: [{ A: \"${{ header({}, ‸", "name: string"),
  ])
  func `the parameter of the innermost call is active`(value: String, parameter: String?) {
    let found = Self.active(Self.help(value))
    if let parameter {
      #expect(
        found?.hasPrefix(parameter) == true || found == parameter, "\(value): \(found ?? "none")")
    } else {
      #expect(found == nil, "\(value)")
    }
  }

  @Test func `a signature has types, a result and the text that hovering shows`() {
    let signature = Self.help("url: ${{ hmac_sha256(‸) }}")?.signatures.first
    #expect(signature?.label.hasPrefix("hmac_sha256(key: ") == true)
    #expect(signature?.label.hasSuffix(") -> bytes") == true)
    #expect(signature?.documentation == FunctionReference.summaries["hmac_sha256"])
    let method = Self.help("url: ${{ photo.name.contains(‸) }}")?.signatures.first
    #expect(method?.label == "string.contains(part: string) -> bool")
    let macro = Self.help("url: ${{ [1].all(‸) }}")?.signatures.first
    #expect(macro?.label == "all(x, condition) -> bool")
  }

  @Test func `of several signatures the first with room is active`() {
    let help = Self.help("url: ${{ photo.name.substring(1, ‸) }}")
    #expect(help.map { $0.signatures.count >= 2 } == true)
    #expect(help?.activeSignature == 1)
    #expect(help?.activeParameter == 1)
  }

  @Test func `every parameter of every function has a name`() {
    let environment = Variables.base
    for name in environment.functionNames {
      for overload in environment.overloads(of: name) {
        let count = overload.parameters.count - (overload.isMethod ? 1 : 0)
        let names = FunctionReference.parameters(of: name, isMethod: overload.isMethod)
        #expect(names.count >= count, "\(name), \(overload.parameters)")
      }
    }
  }
}
