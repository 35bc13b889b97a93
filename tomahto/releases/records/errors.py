"""What can be wrong with the records a release is to be made of."""


class ReleaseError(ValueError):
    """A release cannot be made or read; the message says why in one line."""
