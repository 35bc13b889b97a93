"""How the body of a call is read."""

from collections.abc import Iterable, Mapping
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class TooLarge(APIException):
    """The body is larger than the operation takes."""

    status_code = 413


class ShallowJSONParser(JSONParser):
    """JSON, nested no deeper than it can be read."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("the JSON is nested too deeply") from None


class FileParser(BaseParser):
    """A file as the whole body, of whatever type; it is left to the view to read it in pieces."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - DRF's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 - DRF's signature
    ) -> Any:
        return stream


class OneKindOfAnswer(DefaultContentNegotiation):
    """For operations with a parameter `format` of their own: it does not choose the answer's."""

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 - DRF's signature
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002 - DRF's signature
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type
