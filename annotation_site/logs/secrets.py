"""Addresses that are secrets in themselves stay out of the log."""

import logging
import re

_SECRET_PART = re.compile(r"(/(?:join|crowd|password/reset/[^/\s]+)/)[^/\s\"'?]{8,}")


def without_secrets(text: str) -> str:
    """The text with `…` for the secret in the addresses of invitations and password resets."""
    return _SECRET_PART.sub(r"\1…", text)


class HideSecrets(logging.Filter):
    """Does so with every message."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        shown = without_secrets(message)
        if shown != message:
            record.msg, record.args = shown, ()
        return True
