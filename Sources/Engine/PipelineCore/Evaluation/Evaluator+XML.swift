import Basics
import CEL

extension Evaluator {
  /// The XML text of a template: a value is escaped, a map becomes elements, and the result is well-formed.
  func xml(_ template: Template, _ scope: Scope) throws(EvaluationFailure) -> String {
    var text = ""
    for part in template.parts {
      switch part {
      case .text(let piece): text += piece
      case .expression(let expression):
        let value = try value(expression, scope)
        do throws(EvaluationError) {
          text += try value.xmlContent()
        } catch { throw EvaluationFailure(redact(error.message, scope), at: expression.location) }
      }
    }
    do throws(XMLSyntaxError) {
      var reader = try XMLReader(text.utf8)
      while try reader.next() != nil {}
    } catch {
      // A template without expressions was checked when it was read.
      let location = template.expressions.first?.location
      throw EvaluationFailure(
        redact("the body is not XML: \(error)", scope),
        at: location ?? SourceLocation(file: "", line: 1, column: 1))
    }
    return text
  }
}
