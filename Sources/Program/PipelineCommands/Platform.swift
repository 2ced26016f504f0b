// Every file of the module sees what is imported here: what most files use. `PipelineFiles` brings the platform with it.
@_exported import ArgumentParser
@_exported import PipelineCore
@_exported import PipelineDocument
@_exported import PipelineFiles
