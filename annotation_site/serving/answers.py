"""Answers as the application gives them, in the places where waitress' own would differ."""

from collections.abc import Mapping
from typing import Any

from waitress.task import ErrorTask, WSGITask


class Answer(WSGITask):  # type: ignore[misc]  # untyped
    """Without a body for HEAD; the last one of its connection while the server stops."""

    def build_response_header(self) -> bytes:
        if self.channel.server.is_stopping:
            self.set_close_on_finish()
        header: bytes = super().build_response_header()
        return header

    def write(self, data: bytes) -> None:
        if self._is_head:
            data = b""
        if data and not self.wrote_header:
            self.channel.hold_next()
        super().write(data)

    def finish(self) -> None:
        if not self.wrote_header:
            self.write(b"")
        if self._is_head:
            self.chunked_response = False  # or else an end of chunks would follow
        super().finish()
        self.channel.send_held()  # where no body may follow

    def get_environment(self) -> dict[str, Any]:
        environ: dict[str, Any] = super().get_environment()
        environ["SERVER_SOFTWARE"] = "waitress"
        if self._is_head:
            environ.pop("wsgi.file_wrapper", None)  # its file would be sent past `write`
        server = self.channel.server
        if is_over_tls(self.request.headers, self.channel.addr[0], server.config):
            environ["wsgi.url_scheme"] = "https"
        return environ

    @property
    def _is_head(self) -> bool:
        return bool(self.request.command == "HEAD")


class Refusal(ErrorTask):  # type: ignore[misc]  # untyped
    """What waitress says of a request that does not reach the application."""


def is_over_tls(headers: Mapping[str, str], peer: str, config: Any) -> bool:
    """Whether a proxy that gunicorn's `forwarded_allow_ips` names says so."""
    allowed = config.forwarded_allow_ips
    if peer not in allowed and "*" not in allowed:
        return False
    secure = {name.replace("-", "_"): value for name, value in config.secure_scheme_headers.items()}
    said = {name: headers[name] for name in secure if name in headers}
    return bool(said) and all(secure[name] == value for name, value in said.items())
