"""Guesses of passwords and codes: so many, then a pause, however many are made at once.

A try is taken before the password is looked at, in one statement of the database, and given back
if the password was right. So wrong ones cannot slip through while others are being judged, and
right ones cost nothing.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from math import ceil

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from tasks.models import LoginAttempts
from tasks.storing.refusals import Refusal

logger = logging.getLogger(__name__)

PAUSE = timedelta(minutes=15)
_CLEANED = 100

_TAKE = """
INSERT INTO tasks_loginattempts AS t (subject, tried, counted_from)
VALUES (%(subject)s, 1, {now})
ON CONFLICT (subject) DO UPDATE SET
    tried = CASE WHEN t.counted_from <= {then} THEN 1 ELSE t.tried + 1 END,
    counted_from = CASE WHEN t.counted_from <= {then} OR %(renews)s THEN {now}
        ELSE t.counted_from END
WHERE t.counted_from <= {then} OR t.tried < %(most)s
RETURNING tried
"""


class TriedTooOften(Refusal):
    """No more is tried now; again after so many `seconds`."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many attempts; try again in {seconds} seconds")
        self.seconds = seconds

    status = 429

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.seconds)}


@dataclass(frozen=True, slots=True)
class Tries:
    """What is counted together: `most` tries, then a pause.

    The pause is counted from the last try if it `renews`, so that no quarter of an hour holds more
    than `most`; else from the first, which suits what many people share.
    """

    kind: str
    name: str
    most: int
    renews: bool = True

    @property
    def subject(self) -> str:
        return f"{self.kind}:{salted_hmac(f'login {self.kind}', self.name).hexdigest()}"


def take(*, tries: Sequence[Tries]) -> None:
    """Take one of each, or none. Raises TriedTooOften."""
    for number, each in enumerate(tries):
        if not _take(each):
            give_back(tries=tries[:number])
            raise TriedTooOften(_seconds_left(each))


def give_back(*, tries: Sequence[Tries]) -> None:
    """The try was none: the password was right, or was not looked at."""
    for each in tries:
        mine = LoginAttempts.objects.filter(subject=each.subject, tried__gt=0)
        mine.update(tried=F("tried") - 1)


def forget(*, tries: Tries) -> None:
    """Begin anew."""
    LoginAttempts.objects.filter(subject=tries.subject).delete()


def _take(tries: Tries) -> bool:
    parameters: dict[str, str | int] = {
        "subject": tries.subject,
        "most": tries.most,
        "renews": tries.renews,
    }
    with connection.cursor() as cursor:
        cursor.execute(_statement(connection.vendor), parameters)
        row = cursor.fetchone()
    if row is None:
        return False
    if row[0] == 1:
        _clean_up()
    if row[0] == tries.most:
        logger.warning("%d passwords were tried for one %s", tries.most, tries.kind)
    return True


@cache
def _statement(vendor: str) -> str:
    """By the database's clock. SQLite keeps times as texts, which are in the order of time."""
    seconds = int(PAUSE.total_seconds())
    if vendor == "postgresql":
        now, then = "clock_timestamp()", f"clock_timestamp() - interval '{seconds} seconds'"
    else:
        form = "'%%Y-%%m-%%d %%H:%%M:%%f', 'now'"
        now, then = f"strftime({form})", f"strftime({form}, '-{seconds} seconds')"
    return _TAKE.format(now=now, then=then)


def _seconds_left(tries: Tries) -> int:
    counted = LoginAttempts.objects.filter(subject=tries.subject)
    for begun, now in counted.values_list("counted_from", Now()):
        left: timedelta = begun + PAUSE - now
        return max(1, ceil(left.total_seconds()))
    return 1


@transaction.atomic
def _clean_up() -> None:
    """Forget what counts no longer; somebody may be making up names."""
    over = LoginAttempts.objects.filter(counted_from__lte=Now() - PAUSE)
    locked = over.select_for_update(skip_locked=True).values_list("pk", flat=True)
    LoginAttempts.objects.filter(pk__in=list(locked[:_CLEANED])).delete()
