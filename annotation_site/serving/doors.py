"""A listening socket with its connections."""

import logging
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from waitress.server import TcpWSGIServer

from annotation_site.serving.channel import Channel
from annotation_site.serving.requests import IncomingRequest
from annotation_site.serving.shares import Shares

logger = logging.getLogger(__name__)
Headers = Mapping[str, str]  # names as in CONTENT_LENGTH


@dataclass(frozen=True)
class Callers:
    """Who calls."""

    is_known: Callable[[Headers], bool]
    """Whether whoever says who they are is signed in. Asks the database; called in any thread."""

    client_of: Callable[[Headers, str], str | None]
    """The client that headers name, which came from that address; None if that cannot be known."""

    client_at: Callable[[str], str | None]
    """The same before there are headers."""


class Doors(TcpWSGIServer):  # type: ignore[misc]  # untyped
    """waitress' server on a socket of gunicorn's."""

    channel_class = Channel
    is_stopping = False

    def __init__(
        self,
        application: Any,
        listener: Any,
        *,
        config: Any,
        callers: Callers,
        shares: Shares,
        request_came: Callable[[], None],
        **waitress: Any,
    ) -> None:
        self.config, self.shares = config, shares
        self._callers, self._request_came = callers, request_came
        self._decisions: deque[tuple[Channel, IncomingRequest, bool | None]] = deque()
        self.client_of, self.client_at = callers.client_of, callers.client_at
        place = (listener.family, listener.type, listener.proto, listener.getsockname())
        super().__init__(application, _sock=listener, bind_socket=False, sockinfo=place, **waitress)
        self.server_name = self.effective_host

    def readable(self) -> bool:
        return bool(self.accepting)  # the shares see to it that there are not too many

    def add_task(self, task: Any) -> None:
        self._request_came()
        super().add_task(task)

    def ask(self, channel: Channel, request: IncomingRequest) -> None:
        """Have `channel.decided` called in the loop: whether the request's sender is known."""
        self.task_dispatcher.add_task(_Question(self, channel, request))

    def answer(self, question: "_Question") -> None:
        """In the thread that asks the database."""
        is_known = None
        try:
            is_known = self._callers.is_known(question.request.headers)
        except Exception:
            logger.exception("it cannot be found out who sends a large body")
        self._decisions.append((question.channel, question.request, is_known))
        self.pull_trigger()

    def decide(self) -> None:
        """Pass on what was found out."""
        while self._decisions:
            channel, request, is_known = self._decisions.popleft()
            channel.decided(request, is_known)

    def tend(self, now: float) -> None:
        """End what has taken too long."""
        for channel in list(self.active_channels.values()):
            channel.tend(now)

    def stop(self) -> None:
        """Accept no more; every connection's next answer is its last."""
        self.is_stopping = True
        self.accepting = False
        self.del_channel()
        self.socket.close()

    def end_idle(self) -> None:
        """Close the connections on which nothing is under way."""
        for channel in list(self.active_channels.values()):
            if channel.is_idle():
                channel.end()


@dataclass(frozen=True)
class _Question:
    """Waits its turn among the requests."""

    server: Doors
    channel: Channel
    request: IncomingRequest

    def service(self) -> None:
        self.server.answer(self)

    def cancel(self) -> None:
        """Nobody waits for it any more."""
