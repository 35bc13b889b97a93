"""Mail that leaves beside the answer to a request, in a thread of its own."""

import logging
from concurrent.futures import Future, ThreadPoolExecutor

from django.core.mail import EmailMessage

_log = logging.getLogger(__name__)
_sender = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")


def send_soon(message: EmailMessage) -> "Future[None]":
    """Send the message without waiting for the server. What goes wrong is logged, not raised."""
    return _sender.submit(_send, message)


def _send(message: EmailMessage) -> None:
    try:
        message.send()
    except OSError:
        # neither address nor text: the text holds a link that opens an account
        _log.exception("a mail could not be sent")


def wait_until_sent() -> None:
    """Returns when everything handed over so far has been sent, or has failed."""
    _sender.submit(lambda: None).result()
