"""Errors in the records of a release."""


class ReleaseError(ValueError):
    """A release cannot be made or read; the message says why in one line."""
