"""Requests as they come in: their headers checked, their bodies limited."""

import time
from http import HTTPStatus
from typing import Any

from waitress.parser import HTTPRequestParser, ParsingError
from waitress.utilities import BadRequest, Error, RequestEntityTooLarge

from annotation_site.serving import limits


class TryLater(Error):  # type: ignore[misc]  # untyped
    """There is no room for the body now."""

    code = HTTPStatus.SERVICE_UNAVAILABLE.value
    reason = HTTPStatus.SERVICE_UNAVAILABLE.phrase


class IncomingRequest(HTTPRequestParser):  # type: ignore[misc]  # untyped
    """A request of which no large body is taken before it has got leave."""

    has_leave = False
    is_asked_for = False  # whether it may have leave
    waits_for_continue = False
    headers_at = 0.0  # monotonic; when its body began

    @property
    def is_large(self) -> bool:
        """Whether its body is, or may become, larger than strangers' may be."""
        return bool(self.chunked or self.content_length > limits.BODY_BYTES_OF_STRANGERS)

    @property
    def needs_leave(self) -> bool:
        """Whether somebody has to be asked now."""
        is_in_body = self.headers_finished and not self.completed
        return is_in_body and self.is_large and not self.is_asked_for

    @property
    def promised(self) -> int:
        """The most bytes that its body can have."""
        return limits.BODY_BYTES if self.chunked else int(self.content_length)

    def received(self, data: bytes) -> int:
        """Take in what belongs to this request: how much of `data` that is."""
        was_in_headers = not self.headers_finished
        consumed = int(super().received(data))
        if was_in_headers and self.headers_finished:
            self.headers_at = time.monotonic()
        if self.chunked and not self.error:
            self._check_chunks()
        # what follows a refused request is the rest of it
        return len(data) if self.error else consumed

    def parse_header(self, header_plus: bytes) -> None:
        """Raises ParsingError for what another server might read otherwise."""
        super().parse_header(header_plus)
        # left there by version 1.0, which has no chunks
        if "TRANSFER_ENCODING" in self.headers:
            raise ParsingError("Transfer-Encoding needs HTTP/1.1")
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length beside Transfer-Encoding")
        if self.body_rcv is None:
            self.expect_continue = False
        elif self.is_large:
            self.waits_for_continue, self.expect_continue = self.expect_continue, False

    def give_leave(self) -> None:
        """Take the body whatever its size."""
        self.has_leave = True

    def go_on(self) -> None:
        """Take the body, whose time begins now."""
        self.headers_at = time.monotonic()
        self.expect_continue = self.waits_for_continue

    def refuse(self, error: Any) -> None:
        """Answer with an error of waitress, without the rest of the body."""
        self.error, self.completed = error, True

    def _check_chunks(self) -> None:
        chunks = self.body_rcv
        if max(len(chunks.control_line), len(chunks.trailer)) > limits.CHUNK_LINE_BYTES:
            self.refuse(BadRequest("The line of a chunk is too long"))
        elif not self.has_leave and self.body_bytes_received > limits.BODY_BYTES_OF_STRANGERS:
            self.refuse(too_large_for_strangers())


def too_large_for_strangers() -> RequestEntityTooLarge:
    """The answer to a large body from who is not signed in."""
    most = limits.BODY_BYTES_OF_STRANGERS >> 10
    return RequestEntityTooLarge(f"Without signing in at most {most} KiB are taken.")
