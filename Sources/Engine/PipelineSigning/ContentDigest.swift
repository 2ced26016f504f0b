import CEL
import CELFunctions
package import PipelineCore

package enum ContentDigest {
  private static let expressions: [DigestAlgorithm: CompiledExpression] = {
    var environment = Environment(libraries: Library.all + [.uploads])
    environment.declare("data", as: .bytes)
    var expressions: [DigestAlgorithm: CompiledExpression] = [:]
    for algorithm in DigestAlgorithm.allCases {
      expressions[algorithm] = environment.compile("hex(\(algorithm.rawValue)(data))").expression
    }
    return expressions
  }()

  package static func of(_ bytes: [UInt8], _ algorithm: DigestAlgorithm) -> String {
    let value = try? expressions[algorithm]?.evaluate(["data": .bytes(bytes)])
    return value?.stringValue ?? ""
  }
}
