"""Addresses that are secrets in themselves stay out of the log."""

import logging
import re

_SECRET_PART = re.compile(r"(/(?:join|crowd|password/reset/[^/\s]+)/)[^/\s\"'?]{8,}")


class HideSecrets(logging.Filter):
    """Writes `…` for the secret in the addresses of invitations and of password resets."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        shown = _SECRET_PART.sub(r"\1…", message)
        if shown != message:
            record.msg, record.args = shown, ()
        return True
