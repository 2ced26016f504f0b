// Every file of the module sees what is imported here: what most files use.
@_exported import Basics
@_exported import CEL
@_exported import PipelineAuthoring
@_exported import PipelineDocument
