/// The skew shortens the lifetime.
///
/// If it is as long, the author assumed another lifetime.
enum LifetimeWithinSkewRule: Rule {
  package static func check(_ document: CheckedDocument, _ collector: DiagnosticCollector) {
    for (index, step) in document.pipeline.steps.enumerated() {
      for (position, output) in step.outputs.enumerated() {
        guard let life = document.life(ofOutput: position, of: index) else { continue }
        let proviso = Constants.proviso(life.inputs)
        guard life.life > .zero else {
          // The lifetime of an unused output does not matter.
          let isRead = document.pipeline.steps.contains { reader in
            reader.uses.contains { $0.step == index && $0.output == position }
          }
          collector.report(
            .lifetimeWithinSkew, severity: life.inputs.isEmpty && isRead ? .error : .warning,
            "'\(output.name)' expires as soon as it is created: its lifetime is 0 s\(proviso)",
            at: life.range)
          continue
        }
        let place = document.range(
          of: "outputs", output.name, "expires", "skew", in: document.steps[index].node)
        guard let place, let skew = output.lifetime?.skew, skew >= life.life else { continue }
        collector.report(
          .lifetimeWithinSkew,
          """
          the skew of '\(output.name)' is \(Quantity.text(skew)), but its lifetime is \(Quantity.text(life.life))\
          \(proviso): half of the lifetime is used instead
          """, at: place,
          note: ("the lifetime is declared here", life.range),
          help: "a usual skew is a tenth of the lifetime: \(tenth(of: life.life))")
      }
    }
  }

  private static func tenth(of life: Duration) -> String {
    "'skew: \(Quantity.literal(.milliseconds(max(life.milliseconds / 10, 1))))'"
  }
}
