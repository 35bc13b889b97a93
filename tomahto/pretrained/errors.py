"""Errors of a pretrained model that trying again does not fix."""


class ModelError(ValueError):
    """A model that cannot be used as things are; the message says what to do about it."""


class ModelNotSetError(ModelError):
    """Nobody said where the model lies; the message names the variable that does."""


class ModelFilesError(ModelError):
    """Files that are not what is needed; the message names the folder."""


class TorchMissingError(ModelError):
    """The optional package torch is not installed."""
