"""What a call answers in."""

from collections.abc import Iterable

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer


class Negotiation(DefaultContentNegotiation):
    """As usual, but that a parameter `format` which names no way to write an answer is the call's
    own: a file has its formats."""

    def filter_renderers(
        self,
        renderers: Iterable[BaseRenderer],
        format: str,  # noqa: A002 - its name
    ) -> list[BaseRenderer]:
        every = list(renderers)
        return [each for each in every if each.format == format] or every
