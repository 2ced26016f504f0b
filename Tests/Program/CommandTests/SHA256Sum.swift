import Foundation

/// SHA-256 after FIPS 180-4, so that the tests do not check the program with the program's own code.
enum SHA256Sum {
  /// The digest in lower-case hexadecimal.
  static func of(_ data: Data) -> String {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    var message = [UInt8](data)
    message.append(0x80)
    while message.count % 64 != 56 { message.append(0) }
    let bits = UInt64(data.count) * 8
    for shift in stride(from: 56, through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    for start in stride(from: 0, to: message.count, by: 64) {
      compress(&state, message[start..<start + 64])
    }
    return state.map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 8 - text.count) + text
    }.joined()
  }

  private static func compress(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
    var words: [UInt32] = []
    for index in stride(from: block.startIndex, to: block.endIndex, by: 4) {
      words.append(block[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) })
    }
    for index in 16..<64 {
      let first = words[index - 15]
      let second = words[index - 2]
      let low = rotate(first, 7) ^ rotate(first, 18) ^ (first >> 3)
      let high = rotate(second, 17) ^ rotate(second, 19) ^ (second >> 10)
      words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
    }
    var work = state
    for index in 0..<64 {
      let high = rotate(work[4], 6) ^ rotate(work[4], 11) ^ rotate(work[4], 25)
      let choice = (work[4] & work[5]) ^ (~work[4] & work[6])
      let first = work[7] &+ high &+ choice &+ constants[index] &+ words[index]
      let low = rotate(work[0], 2) ^ rotate(work[0], 13) ^ rotate(work[0], 22)
      let majority = (work[0] & work[1]) ^ (work[0] & work[2]) ^ (work[1] & work[2])
      work = [
        first &+ low &+ majority, work[0], work[1], work[2], work[3] &+ first, work[4], work[5],
        work[6],
      ]
    }
    for index in 0..<8 { state[index] = state[index] &+ work[index] }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = {
    var primes: [Int] = []
    var candidate = 2
    while primes.count < 64 {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes.map { prime in
      let root = Foundation.cbrt(Double(prime))
      return UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }
  }()
}
