// Generated from Pipelines/catalogue by `make generated`.
extension PipelineTemplate {
  static let catalogueTexts = [
    gcsResumableText,
    gitLfsText,
    nextcloudText,
    ociText,
    s3MultipartText,
    tusText,
    webdavText,
  ]
}
