// Every file of the module sees these imports: the engine whose port it implements.
@_exported import Basics
@_exported import PipelineCore
@_exported import PipelineEngine
