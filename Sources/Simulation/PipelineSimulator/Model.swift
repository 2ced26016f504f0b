// Every file of the module sees these imports, which most files use.
@_exported import Basics
@_exported import CEL
@_exported import PipelineCore
@_exported import PipelineDocument
@_exported import PipelineEngine
@_exported import PipelineScenarios
