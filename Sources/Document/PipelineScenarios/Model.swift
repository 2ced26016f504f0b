// Every file of the module sees what is imported here: what most files use.
@_exported import CEL
@_exported import PipelineCore
@_exported import PipelineDocument
@_exported import YAMLSyntax
