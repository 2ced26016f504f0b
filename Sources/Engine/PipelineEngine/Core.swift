// Every file of the module sees these imports: the core that it drives.
@_exported import PipelineCore
