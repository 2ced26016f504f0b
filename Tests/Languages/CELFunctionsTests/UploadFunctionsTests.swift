import CEL
import CELFunctions
import Testing

struct UploadFunctionsTests {
  private static let environment: Environment = {
    var environment = Environment.standard
    environment.add(.uploads)
    environment.declare("v", as: .dyn)
    return environment
  }()

  private func evaluate(_ source: String, _ value: Value = .null) throws -> Value {
    let compilation = Self.environment.compile(source)
    let compiled = try #require(
      compilation.expression, "\(source): \(compilation.issues.map(\.message))")
    return try compiled.evaluate(["v": value])
  }

  @Test(arguments: [
    "ranges(-1, 1)", "ranges(1, 0)", "ranges(9223372036854775807, 1)", "ranges(1000000, 1)",
    "partSize(1, 0, 1)", "partSize(1, 1, 0)", "partSize(-1, 1, 1)", "unhex('0')", "unhex('zz')",
    "urlUnescape('%')", "urlUnescape('%zz')", "urlUnescape('%ff')", "parseJson('{')",
    "parseJson('')", "parseJson('[' + 'x]')", "header({'a': 1}, 'a')", "query({'a': {}})",
    "sha256(v)",
    "header({'a': [1]}, 'A')", "query({'a': [[1]]})", "resolve('b/c', 'd')", "urlQuery('?a=%ff')",
    "httpDate('6 Nov 1994')", "httpDate('')", "seconds('1.5')", "seconds(9223372036854775807)",
  ])
  func `a meaningless expression is an error`(_ source: String) throws {
    let compiled = try #require(Self.environment.compile(source).expression)
    #expect(throws: EvaluationError.self) { try compiled.evaluate(["v": 1]) }
  }

  @Test(arguments: [
    "sha256(1)", "ranges('1', 1)", "hex('ab')", "header('a', 'b')", "8 * Mib", "urlEscape(b'a')",
  ])
  func `an expression without a type is an issue`(_ source: String) {
    #expect(!Self.environment.compile(source).issues.isEmpty)
  }

  /// Check values: RFC 1321 A.5, RFC 3174 and RFC 6234 test vectors, the CRC catalogue's `123456789`,
  /// RFC 2202 and RFC 4231 test case 2.
  @Test(arguments: [
    ("md5('abc')", "900150983cd24fb0d6963f7d28e17f72"),
    ("sha1('abc')", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    ("sha256('abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "sha384('abc')",
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      "sha512('abc')",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    ("crc32('123456789')", "cbf43926"), ("crc32c('123456789')", "e3069283"),
    ("crc32c('')", "00000000"), ("crc64nvme('123456789')", "ae8b14860a799888"),
    ("crc64nvme('')", "0000000000000000"),
    ("sha256_blocks_4mib('')", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (
      "hmac_sha1('Jefe', 'what do ya want for nothing?')",
      "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
    ),
    (
      "hmac_sha256(b'Jefe', 'what do ya want for nothing?')",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    ("sha256(b'abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `digests are those of their standards`(_ call: String, _ digits: String) throws {
    #expect(try evaluate("hex(\(call))") == .string(digits))
  }

  @Test func `a checksum in base64 is accepted by object stores`() throws {
    #expect(try evaluate("base64.encode(crc32c('123456789'))") == "4waSgw==")
  }

  @Test func `hex digits go both ways`() throws {
    #expect(
      try evaluate("unhex('00fFa0') == b'\\x00\\xff\\xa0' && hex(unhex('00ffa0')) == '00ffa0'")
        == true)
  }

  @Test(arguments: [
    ("urlEscape('a b/c?d=é~-._')", "a%20b%2Fc%3Fd%3D%C3%A9~-._"),
    ("urlEscapePath('/a b/é')", "/a%20b/%C3%A9"),
    ("urlUnescape('a%20b%2fc+%C3%A9')", "a b/c+é"),
    ("formEscape('a b&c=~*+')", "a+b%26c%3D%7E*%2B"),
    (
      "query({'a': 1, 'b': 'x y', 'c': null, 'd': [1.5, true], 'é': ''})",
      "a=1&b=x%20y&d=1.5&d=true&%C3%A9="
    ),
    ("query({})", ""),
    ("xmlEscape('<a b=\"c\">&\\'\\r\\n\\x01é')", "&lt;a b=&quot;c&quot;&gt;&amp;&apos;&#13;\né"),
    ("base64UrlEncode(b'\\xfb\\xff')", "-_8"), ("base64UrlEncode('a')", "YQ"),
    ("base64UrlEncode('')", ""),
    ("base64UrlEncode('abc')", "YWJj"),
    // RFC 3986 §5.4.1 and §5.4.2, with its base.
    ("resolve('http://a/b/c/d;p?q', 'g:h')", "g:h"),
    ("resolve('http://a/b/c/d;p?q', './g')", "http://a/b/c/g"),
    ("resolve('http://a/b/c/d;p?q', 'g/')", "http://a/b/c/g/"),
    ("resolve('http://a/b/c/d;p?q', '/g')", "http://a/g"),
    ("resolve('http://a/b/c/d;p?q', '//g')", "http://g"),
    ("resolve('http://a/b/c/d;p?q', '?y')", "http://a/b/c/d;p?y"),
    ("resolve('http://a/b/c/d;p?q', 'g?y#s')", "http://a/b/c/g?y#s"),
    ("resolve('http://a/b/c/d;p?q', '#s')", "http://a/b/c/d;p?q#s"),
    ("resolve('http://a/b/c/d;p?q', '')", "http://a/b/c/d;p?q"),
    ("resolve('http://a/b/c/d;p?q', '.')", "http://a/b/c/"),
    ("resolve('http://a/b/c/d;p?q', '..')", "http://a/b/"),
    ("resolve('http://a/b/c/d;p?q', '../..')", "http://a/"),
    ("resolve('http://a/b/c/d;p?q', '../../../g')", "http://a/g"),
    ("resolve('http://a/b/c/d;p?q', '/./g')", "http://a/g"),
    ("resolve('http://a/b/c/d;p?q', 'g..')", "http://a/b/c/g.."),
    ("resolve('http://a/b/c/d;p?q', './g/.')", "http://a/b/c/g/"),
    ("resolve('http://a/b/c/d;p?q', 'g;x=1/../y')", "http://a/b/c/y"),
    ("resolve('http://a/b/c/d;p?q', 'g?y/../x')", "http://a/b/c/g?y/../x"),
    ("resolve('http://a', 'b')", "http://a/b"),
    (
      "resolve('http://127.0.0.1:5010/files/', 'http://127.0.0.1:5010/files/1')",
      "http://127.0.0.1:5010/files/1"
    ),
    ("urlQuery('https://a/?X=1&Y=b%20c+d&X=2&z')['Y']", "b c d"),
    ("urlQuery('https://a/?X=1&Y=b%20c+d&X=2&z')['X']", "1"),
    ("urlQuery('https://a/?X=1&z#?X=3')['z']", ""),
    ("string(size(urlQuery('https://a/')))", "0"),
    ("string(httpDate('Sun, 06 Nov 1994 08:49:37 GMT'))", "1994-11-06T08:49:37Z"),
    ("string(httpDate('Sunday, 06-Nov-94 08:49:37 GMT'))", "1994-11-06T08:49:37Z"),
    ("string(httpDate('Sun Nov  6 08:49:37 1994'))", "1994-11-06T08:49:37Z"),
    ("string(seconds(90))", "90s"), ("string(seconds('3600'))", "3600s"),
  ])
  func `text is escaped for its destination`(_ call: String, _ expected: String) throws {
    #expect(try evaluate(call) == .string(expected))
  }

  @Test func `ranges cover a file without gaps`() throws {
    #expect(
      try evaluate("ranges(10, 4)") == [
        ["number": 1, "index": 0, "offset": 0, "length": 4],
        ["number": 2, "index": 1, "offset": 4, "length": 4],
        ["number": 3, "index": 2, "offset": 8, "length": 2],
      ])
    #expect(try evaluate("ranges(8, 4).map(r, r.length)") == [4, 4])
    #expect(try evaluate("ranges(3, 4).map(r, r.length)") == [3])
    #expect(
      try evaluate("ranges(0, 4)") == [["number": 1, "index": 0, "offset": 0, "length": 0]])
    #expect(try evaluate("size(ranges(50 * GiB, 8 * MiB))") == 6400)
  }

  @Test(arguments: [
    ("partSize(100 * GiB, 5 * MiB, 10000)", 11 << 20), ("partSize(1, 5 * MiB, 10000)", 5 << 20),
    ("partSize(10 * MiB + 1, 1, 10)", 2 << 20), ("partSize(9223372036854775807, 1, 1)", Int64.max),
    ("partSize(0, 1, 1)", 1),
  ])
  func `a part size keeps to the number of parts`(_ call: String, _ expected: Int64) throws {
    #expect(try evaluate(call) == .int(expected))
  }

  @Test func `units of size are constants`() throws {
    #expect(
      try evaluate("[kB, MB, GB, TB]") == [1000, 1_000_000, 1_000_000_000, 1_000_000_000_000])
    #expect(
      try evaluate("[8 * MiB, KiB, GiB, TiB]") == [
        8_388_608, 1024, 1_073_741_824, 1_099_511_627_776,
      ])
  }

  @Test func `header fields have no case`() throws {
    let headers: Value = ["ETag": "x", "Set-Cookie": ["a", "b"], "Empty": [], "None": .null]
    #expect(try evaluate("header(v, 'etag').orValue('')", headers) == "x")
    #expect(try evaluate("header(v, 'SET-cookie').orValue('')", headers) == "a, b")
    #expect(try evaluate("header(v, 'missing').hasValue()", headers) == false)
    #expect(
      try evaluate("header(v, 'empty').hasValue() || header(v, 'none').hasValue()", headers)
        == false)
  }

  @Test func `JSON is converted in both directions`() throws {
    #expect(
      try evaluate("json({'a': [1, null, b'x'], 'b': duration('3.5s')})")
        == #"{"a":[1,null,"eA=="],"b":"3.5s"}"#)
    #expect(try evaluate("jsonHeader({'path': '/é'})") == #"{"path":"/\u00e9"}"#)
    #expect(try evaluate("parseJson('{\"a\": [1, 1.5, {\"b\": true}]}').a[2].b") == true)
    #expect(try evaluate("parseJson(b'[1]')[0] == 1") == true)
  }

  @Test func `large values cost more`() throws {
    let text = Value.string(String(repeating: "x", count: 1_000_000))
    for source in ["sha256(v)", "urlEscape(v)", "xmlEscape(v)", "hex(bytes(v))", "json([v, v])"] {
      let compiled = try #require(Self.environment.compile(source).expression)
      #expect(throws: EvaluationError.self) {
        try compiled.evaluate(["v": text], limits: EvaluationLimits(cost: 10_000))
      }
    }
  }
}
