"""The receiver of docs/webhooks.md, as it is printed there."""

import re
import time
from collections.abc import Callable
from typing import Any

from tasks.events.workflow.sending import signature
from tasks.models import EventKind
from tests.site import ROOT

PAGE = (ROOT / "docs/webhooks.md").read_text()
SECRET = "a secret of sixteen characters"
BODY = '{"id": "1", "label": "äquivalent"}'.encode()


def documented() -> Callable[..., bool]:
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - our own page
    receiver: Callable[..., bool] = names["is_genuine"]
    return receiver


def header(seconds: int, body: bytes = BODY) -> str:
    return f"t={seconds},v1={signature(SECRET, seconds, body)}"


def test_documented_receiver_knows_what_was_signed_from_what_was_not() -> None:
    is_genuine, now = documented(), int(time.time())
    assert is_genuine(SECRET, header(now), BODY)
    assert not is_genuine(SECRET, header(now), BODY + b" ")
    assert not is_genuine("another secret", header(now), BODY)
    assert not is_genuine(SECRET, header(now - 301), BODY)
    assert not is_genuine(SECRET, header(now).replace("t=", "t=1"), BODY)


def test_every_event_is_documented() -> None:
    table = PAGE.partition("## Events")[2].partition("Messages hold")[0]
    documented_kinds = set(re.findall(r"`([a-z]+\.[a-z]+)`", table))
    assert documented_kinds == set(EventKind.values)
