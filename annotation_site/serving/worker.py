"""gunicorn's worker class: `--worker-class annotation_site.serving.worker.DoorsWorker`."""

import os
import resource
import time
from typing import Any

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.task import ThreadedTaskDispatcher

from annotation_site.serving import limits
from annotation_site.serving.doors import Callers, Doors
from annotation_site.serving.shares import Shares

LOOK_SECONDS = 1.0
STOPPING_LOOK_SECONDS = 0.1


class _Signals(wasyncore.file_dispatcher):  # type: ignore[misc]  # untyped
    """A signal that came ends the waiting of the loop."""

    def writable(self) -> bool:
        return False

    def handle_read(self) -> None:
        self.recv(4096)


class DoorsWorker(Worker):  # type: ignore[misc]  # untyped
    """A loop that reads and writes, and `threads` threads that call the application.

    Of gunicorn's options it heeds `bind` (TCP only), `workers`, `threads`, `keepalive`,
    `worker_connections`, `backlog`, `timeout`, `graceful_timeout`, `max_requests` with its jitter,
    `forwarded_allow_ips` and `secure_scheme_headers`.
    """

    def run(self) -> None:
        self._map: dict[int, Any] = {}
        _Signals(self.PIPE[0], map=self._map)
        self._threads = ThreadedTaskDispatcher()
        self._threads.set_thread_count(self.cfg.threads)
        self._tended = 0.0
        self._doors = self._open_doors()
        while self.alive and self.ppid == os.getppid():
            self._turn(LOOK_SECONDS)
            if self.nr >= self.max_requests:
                self.log.info("Autorestarting worker after %s requests.", self.nr)
                break
        self._stop()

    def _open_doors(self) -> list[Doors]:
        # the application is there by now, and so are the settings
        from annotation_site.serving.callers import client_at, client_of, is_known

        shares = Shares(most_connections(self.cfg.worker_connections))
        return [
            Doors(
                self.wsgi,
                listener.sock,
                config=self.cfg,
                callers=Callers(is_known, client_of, client_at),
                shares=shares,
                request_came=self._request_came,
                map=self._map,
                dispatcher=self._threads,
                adj=_adjustments(self.cfg, listener.sock),
            )
            for listener in self.sockets
        ]

    def _request_came(self) -> None:
        self.nr += 1  # in several threads: one lost now and then is no matter

    def _turn(self, seconds: float) -> None:
        """Wait so long at most for something to read or to write, and do it."""
        self.notify()
        wasyncore.loop(timeout=seconds, use_poll=True, map=self._map, count=1)
        now = time.monotonic()
        for each in self._doors:
            each.decide()
            if now >= self._tended + LOOK_SECONDS:
                each.tend(now)
        if now >= self._tended + LOOK_SECONDS:
            self._tended = now

    def _stop(self) -> None:
        """Answer what has been asked; who keeps a connection may be about to ask."""
        began = time.monotonic()
        for each in self._doors:
            each.stop()
        passed = 0.0
        while passed < self.cfg.graceful_timeout and any(d.active_channels for d in self._doors):
            self._turn(STOPPING_LOOK_SECONDS)
            passed = time.monotonic() - began
            if passed > limits.LINGER_SECONDS:
                for each in self._doors:
                    each.end_idle()
        self._threads.shutdown(timeout=max(0.0, self.cfg.graceful_timeout - passed))


def most_connections(wanted: int) -> int:
    """As many, but no more than leave a file descriptor for the body of each, and some more."""
    descriptors, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if descriptors == resource.RLIM_INFINITY:
        return wanted
    return max(1, min(wanted, (descriptors - 100) // 2))


def _adjustments(config: Any, listener: Any) -> Adjustments:
    return Adjustments(
        sockets=[listener],
        backlog=config.backlog,
        threads=config.threads,
        ident="",  # who serves concerns nobody
        # the site reads them itself, as far as they can be believed
        clear_untrusted_proxy_headers=False,
        recv_bytes=limits.BODY_BYTES_OF_STRANGERS,
        max_request_header_size=limits.HEADER_BYTES,
        max_request_body_size=limits.BODY_BYTES + 1,  # the first size that is refused
        log_socket_errors=False,
    )
