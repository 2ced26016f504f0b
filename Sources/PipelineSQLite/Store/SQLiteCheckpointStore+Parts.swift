import GRDB
import PipelineCore
import PipelineEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A row for each part that is done, so that a file in ten thousand parts is not written again with each of them.
extension SQLiteCheckpointStore {
  func commit(_ change: PartChange, _ database: Database) throws {
    switch change {
    case .concluded(let key, let values):
      guard let part = key.part else { return }
      try database.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO part (item, step, generation, number, collected)
          VALUES (?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        key.whole.row, id(of: part.step), part.generation, part.number,
        Data(coding.encode(part: values)),
      ])
    case .forgotten(let key, let step):
      try database.cachedStatement(sql: "DELETE FROM part WHERE item = ? AND step = ?")
        .execute(arguments: [key.row, id(of: step)])
    }
  }

  /// Reads the rows of the item's parts; a file of an earlier version, opened for reading alone, has none.
  func restoreParts(of item: inout Item, _ database: Database) throws {
    for index in coding.pipeline.steps(of: item.key) {
      let step = coding.pipeline.steps[index]
      guard item.frame.indices.contains(step.position), item.frame[step.position].parts != nil
      else { continue }
      let generation = item.frame[step.position].generation
      let statement = try database.cachedStatement(
        sql: "SELECT number, collected FROM part WHERE item = ? AND step = ? AND generation = ?")
      let rows = try Row.fetchCursor(
        statement, arguments: [item.key.row, step.id.rawValue, generation])
      while let row = try rows.next() {
        let part = ItemKey.Part(
          step: index, generation: generation, number: Int(try row.integer("number")))
        item.restore(part, try coding.part(row.blob("collected")), of: coding.pipeline)
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
