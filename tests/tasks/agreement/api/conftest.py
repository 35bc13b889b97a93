"""A researcher of the campaign as in `adjudication`, and what they call."""

from tests.tasks.adjudication.api.conftest import member, oak

__all__ = ["member", "oak"]
