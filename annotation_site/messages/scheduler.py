"""Celery's scheduler, but that neither a clock that is set back nor a torn file stops it.

Celery remembers when it sent something last by the machine's clock. Set back by two hours, nothing
would be due for two hours. Set forward, everything is due once, as it should be.
"""

import logging
from datetime import timedelta
from typing import Any, Final

from celery.beat import PersistentScheduler

logger = logging.getLogger(__name__)

TOLERANCE: Final = timedelta(seconds=1)


class SteadyScheduler(PersistentScheduler):
    schedule_filename: str  # the stubs leave it out

    def setup_schedule(self) -> None:
        """A file that cannot be used is begun anew: what it says may be lost."""
        try:
            super().setup_schedule()
        except Exception:
            logger.exception("the schedule %s was put aside", self.schedule_filename)
            self._remove_db()  # type: ignore[attr-defined]  # the stubs leave it out
            super().setup_schedule()

    def tick(self, *arguments: Any, **options: Any) -> float:
        if self._forget_the_future():
            self._heap = None  # made anew by what follows
        return super().tick(*arguments, **options)

    def _forget_the_future(self) -> bool:
        """Whether anything was sent at a time that is yet to come; it counts as sent just now."""
        ahead = [
            entry
            for entry in self.schedule.values()
            if entry.last_run_at and entry.last_run_at > entry.default_now() + TOLERANCE
        ]
        for entry in ahead:
            entry.last_run_at = entry.default_now()
        if ahead:
            logger.warning("the clock was set back: %s tasks are scheduled anew", len(ahead))
        return bool(ahead)
