"""The site with leases by the clock of its own process, as other tools have them.

Only for the test that shows that the test of wrong clocks notices.
"""

import re
from collections.abc import Callable
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.utils import timezone

from annotation_site.wsgi import application

__all__ = ["application"]

CLOCKS = {
    "sqlite": re.compile("'now'", re.IGNORECASE),
    "postgresql": re.compile(r"(clock|statement)_timestamp\(\)", re.IGNORECASE),
}


def by_own_clock(
    execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: dict[str, Any]
) -> Any:
    vendor = context["connection"].vendor
    now = f"'{timezone.now():%Y-%m-%d %H:%M:%S.%f}'"
    if vendor == "postgresql":
        now += "::timestamptz"
    return execute(CLOCKS[vendor].sub(now, sql), parameters, many, context)


@receiver(connection_created)
def use_own_clock(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    connection.execute_wrappers.append(by_own_clock)
