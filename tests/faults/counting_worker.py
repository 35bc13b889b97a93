"""A worker whose `f1` matcher writes down what it scores, and may hang before a batch.

`COUNTED` names the file that takes a line per scored pair; with `HANG_BEFORE` set, the batch of
that number (from 1) is never scored.
"""

import os
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from threading import Event

from annotation_site.celery import app
from tomahto.matching import f1
from tomahto.matching.f1 import TokenF1
from tomahto.matching.interface import Pair

__all__ = ["app"]

_batches = count(1)


class CountingF1(TokenF1):
    def score(self, pairs: Sequence[Pair]) -> list[float]:
        if str(next(_batches)) == os.environ.get("HANG_BEFORE"):
            Event().wait()
        with Path(os.environ["COUNTED"]).open("a") as counted:
            counted.writelines(f"{pair.candidate}\n" for pair in pairs)
        return super().score(pairs)


f1.TokenF1 = CountingF1  # type: ignore[misc]  # what the table names
