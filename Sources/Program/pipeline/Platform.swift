// Every file of the module sees these imports, which most files use. `PipelineFiles` brings the platform with it.
@_exported import Basics
@_exported import CEL
@_exported import PipelineCommands
@_exported import PipelineCore
@_exported import PipelineDocument
@_exported import PipelineEngine
@_exported import PipelineFiles
@_exported import PipelinePostgreSQL
@_exported import PipelineReports
@_exported import Synchronization
