"""A signed message to a webhook.

The header `Tomahto-Signature: t=SECONDS,v1=HEX` holds the time of sending and the HMAC-SHA256 of
`SECONDS.BODY` under the secret of the campaign. A receiver that compares both knows who wrote the
message and that it is not an old one sent again.
"""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from tomahto.outgoing.configuration import outgoing_client
from tomahto.outgoing.messages import Limits, Request

SIGNATURE = "Tomahto-Signature"
TOTAL_SECONDS = 20
_LIMITS = Limits(
    connect_seconds=5, read_seconds=10, total_seconds=TOTAL_SECONDS, answer_bytes=65_536
)


class WebhookRefused(Exception):
    """The receiver answered, but not with a status from 200 to 299."""


class SecretLost(Exception):
    """The site has no key any more to the webhook's address or secret."""

    def __init__(self) -> None:
        super().__init__(
            "its address and secret cannot be read with this site's secret key: set both anew"
        )


def send_to_webhook(*, url: str, secret: str, message: Mapping[str, Any]) -> None:
    """Post the message as JSON. Raises OutgoingError, WebhookRefused."""
    body = json.dumps(message, ensure_ascii=False).encode()
    seconds = int(time.time())
    headers = {
        "Content-Type": "application/json",
        SIGNATURE: f"t={seconds},v1={signature(secret, seconds, body)}",
    }
    answer = outgoing_client().send(Request("POST", url, headers, body), _LIMITS)
    if not 200 <= answer.status < 300:
        raise WebhookRefused(f"the webhook answered with status {answer.status}")


def signature(secret: str, seconds: int, body: bytes) -> str:
    """What a receiver works out to compare it with the header's."""
    return hmac.new(secret.encode(), f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
