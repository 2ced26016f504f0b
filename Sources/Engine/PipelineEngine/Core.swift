// Every file of the module sees what is imported here: the core that it drives.
@_exported import PipelineCore
