public import PipelineCore

extension SmallPipelines {
  /// For each item a file that stays, within a disk budget for what does not, then a copy of it and its transfer.
  public static func saves(disk: Int64? = nil) -> Pipeline {
    var builder = PipelineBuilder(budgets: Budgets(diskBytes: disk))
    builder.input("server", .url)
    builder.input("target", .folder)
    builder.input("files", .files)
    builder.loop("item", concurrency: 2)
    builder.step(
      "get",
      .download(
        DownloadTemplate(
          request: RequestTemplate(
            url: builder.template("${{ inputs.server }}/${{ item.name }}")),
          save: Saving(
            folder: builder.expression("inputs.target"),
            name: builder.template("${{ item.name }}")))))
    builder.step(
      "copy",
      .materialize(
        MaterializeTemplate(source: .file(builder.expression("steps.get.file"), range: nil))))
    builder.step(
      "upload",
      .upload(
        UploadTemplate(
          request: RequestTemplate(
            method: "PUT", url: builder.template("${{ inputs.server }}/copies/${{ item.name }}")),
          file: builder.expression("steps.copy.file"))))
    builder.endLoop()
    return builder.pipeline("saves")
  }
}
