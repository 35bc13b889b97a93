"""Raters that work all the time, whatever dies, and keep a journal of what they were told."""

import http.client
import json
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

from examples.rater import Json, Rater, Refused
from tests.faults.oracle import Journal
from tests.sampling import IS_WHOLE

# seconds between two ratings of a rater: the machine has other things to do as well
PACE = 0.03 if IS_WHOLE else 0.1
MAY_BE_RETRIED = {502, 503, 504}


class SteadyRater(Rater):
    """Rates until it is over; what is not answered is sent again under the same key.

    When nothing is left to rate, revises what came last. `errors` counts what went wrong by status
    or by the kind of the connection's error.
    """

    tries = 1

    def __init__(self, address: str, token: str, campaign: str, journal: Path) -> None:
        super().__init__(address, token)
        self.path, self.acknowledged = journal, 0
        self.errors: Counter[int | str] = Counter()
        self._campaign, self._journal = campaign, Journal(journal)
        self._work: Json | None = None
        self._is_answered = True

    def rate_until(self, is_over: Event) -> None:
        """Raises Refused for an answer after which a client would not try again."""
        with closing(self), closing(self._journal):
            self._rate_until(is_over)

    def _rate_until(self, is_over: Event) -> None:
        while not is_over.wait(PACE):
            try:
                self._rate_one()
            except Refused as refusal:
                self.errors[refusal.status] += 1
                if refusal.status not in MAY_BE_RETRIED:
                    raise
            except (OSError, http.client.HTTPException) as error:
                self.errors[type(error).__name__] += 1
                self.close()

    def _rate_one(self) -> None:
        if self._is_answered:
            work = self.claim(self._campaign) or self._work
            assert work is not None, "there was nothing to rate"
            self._work = {**work, "idempotency_key": str(uuid.uuid4())}
            self._is_answered = False
        assert self._work is not None
        answers = {"q1": False, "q2": True, "comment": self._work["idempotency_key"][:8]}
        key = self._work["idempotency_key"]
        self._journal.sending(key, json.dumps(answers).encode(), self._work["assignment"])
        stored = self.submit(self._work, answers)
        self._journal.acknowledged(key, stored["rating"], self._status)
        self._is_answered = True
        self.acknowledged += 1

    def _post(self, address: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        self._status, content = super()._post(address, body, headers)
        return self._status, content


@contextmanager
def at_work(raters: Sequence[SteadyRater]) -> Iterator[None]:
    """All of them rate within the block; then what one of them could not bear is raised."""
    is_over = Event()
    with ThreadPoolExecutor(len(raters)) as pool:
        work = [pool.submit(rater.rate_until, is_over) for rater in raters]
        try:
            yield
        finally:
            is_over.set()
        for each in work:
            each.result()


def await_ratings(raters: Sequence[SteadyRater], *, deadline: float) -> None:
    """Returns once each of them has a rating acknowledged that was sent after this was called."""
    wanted = {rater: rater.acknowledged + 2 for rater in raters}  # one may be under way
    while any(rater.acknowledged < number for rater, number in wanted.items()):
        done = [rater.acknowledged for rater in raters]
        errors = [dict(rater.errors) for rater in raters]
        assert time.monotonic() < deadline, f"acknowledged {done}, then {errors}"
        time.sleep(0.02)
