import PipelineCore
import PipelineEngine

/// A row for each part that is done, so that a file in ten thousand parts is not written again with each of them.
extension SQLiteCheckpointStore {
  func commit(_ change: PartChange, _ database: Database) throws {
    switch change {
    case .concluded(let key, let values):
      guard let part = key.part else { return }
      try database.run(
        """
        INSERT OR REPLACE INTO part (item, step, generation, number, collected)
        VALUES (?, ?, ?, ?, ?)
        """, key.whole.row, try id(of: part.step), part.generation, part.number,
        coding.encode(part: values))
    case .forgotten(let key, let step):
      try database.run("DELETE FROM part WHERE item = ? AND step = ?", key.row, try id(of: step))
    }
  }

  func restoreParts(of item: inout Item, _ database: Database) throws {
    for index in coding.pipeline.steps(of: item.key) {
      let step = coding.pipeline.steps[index]
      guard item.frame.indices.contains(step.position), item.frame[step.position].parts != nil
      else { continue }
      let generation = item.frame[step.position].generation
      try database.rows(
        "SELECT number, collected FROM part WHERE item = ? AND step = ? AND generation = ?",
        item.key.row, step.id.rawValue, generation
      ) { row in
        let part = ItemKey.Part(
          step: index, generation: generation, number: Int(try row.integer(0)))
        item.restore(part, try coding.part(row.blob(1)), of: coding.pipeline)
      }
    }
  }

  private func id(of step: Int) throws -> String {
    guard coding.pipeline.steps.indices.contains(step) else {
      throw CheckpointCoding.Damage(message: "there is no step \(step)")
    }
    return coding.pipeline.steps[step].id.rawValue
  }
}
