"""Raters that are programs and keep a journal: many at once, in several processes."""

import json
import multiprocessing
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from examples.rater import Json, Rater, Refused
from tests.faults.oracle import Journal

PROCESSES = 2  # or else the clients wait for one another, and the times are theirs
IN_ONE_PROCESS = 16  # clients, with whom that does not matter yet
REPLAYED = 0.3


@dataclass
class Tally:
    """The server's answers to one client or to many, and the seconds that submissions took."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        self.statuses += other.statuses
        self.seconds += other.seconds
        self.refusals += other.refusals

    def quantile(self, share: float) -> float:
        return sorted(self.seconds)[int(share * (len(self.seconds) - 1))]


class JournalingRater(Rater):
    """Notes every submission on disk before it is sent and after it was acknowledged."""

    def __init__(self, address: str, token: str, journal: Journal, *, timeout: float = 60) -> None:
        super().__init__(address, token, timeout=timeout)
        self.journal, self.tally = journal, Tally()

    def submit(self, work: Json, answers: Json) -> Json:
        key = work["idempotency_key"]
        self.journal.sending(key, json.dumps(answers).encode(), work["assignment"])
        began = time.perf_counter()
        stored = super().submit(work, answers)
        self.tally.seconds.append(time.perf_counter() - began)
        self.journal.acknowledged(key, stored["rating"], self._status)
        return stored

    def _post(self, address: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        try:
            self._status, content = super()._post(address, body, headers)
        except Refused as refusal:
            self.tally.statuses[refusal.status] += 1
            raise
        self.tally.statuses[self._status] += 1
        return self._status, content


@contextmanager
def journaling_rater(address: str, token: str, journal: Path) -> Iterator[JournalingRater]:
    writer = Journal(journal)
    rater = JournalingRater(address, token, writer)
    try:
        yield rater
    finally:
        rater.close()
        writer.close()


def some_answers(dice: random.Random) -> Json:
    """Answers that the protocol `ae` permits."""
    if dice.random() < 0.2:
        return {"q1": True}
    return {"q1": False, "q2": True, "comment": f"comment {dice.randrange(10**6)}"}


def rate_everything(
    address: str, campaign: str, token_and_journal: tuple[str, Path], *, replayed: float
) -> Tally:
    """Claim and submit until nothing is left, and send some ratings again, new ones and old.

    A replay must be answered as the first time; a refusal ends the work and is told.
    """
    token, journal = token_and_journal
    dice = random.Random(token)
    done: list[tuple[Json, Json, Json]] = []
    with journaling_rater(address, token, journal) as rater:
        try:
            while work := rater.claim(campaign):
                answers = some_answers(dice)
                done.append((work, answers, rater.submit(work, answers)))
                if dice.random() < replayed:
                    again, same_answers, stored = dice.choice([done[-1], dice.choice(done)])
                    if rater.submit(again, same_answers) != stored:
                        rater.tally.refusals.append(f"{again['idempotency_key']} answered anew")
        except Refused as refusal:
            rater.tally.refusals.append(str(refusal))
        return rater.tally


def rate_at_once(
    address: str,
    campaign: str,
    tokens: Sequence[str],
    folder: Path,
    *,
    replayed: float = REPLAYED,
) -> Tally:
    """Let as many raters as there are tokens rate everything, all at the same time.

    Each keeps its journal in the folder, as `*.journal`.
    """
    clients = [(token, folder / f"{number}.journal") for number, token in enumerate(tokens)]
    rate = partial(rate_everything, address, campaign, replayed=replayed)
    if len(clients) <= IN_ONE_PROCESS:
        return _in_threads(rate, clients)
    shares = [clients[first::PROCESSES] for first in range(PROCESSES)]
    tally = Tally()
    with ProcessPoolExecutor(PROCESSES, multiprocessing.get_context("spawn")) as pool:
        for part in pool.map(partial(_in_threads, rate), shares):
            tally.add(part)
    return tally


def _in_threads(
    rate: Callable[[tuple[str, Path]], Tally], clients: Sequence[tuple[str, Path]]
) -> Tally:
    tally = Tally()
    with ThreadPoolExecutor(len(clients)) as pool:
        for part in pool.map(rate, clients):
            tally.add(part)
    return tally
