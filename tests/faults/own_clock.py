"""The site with leases by the clock of its own process, as other tools have them.

Only for the test that shows that the test of wrong clocks notices.
"""

from collections.abc import Callable
from typing import Any

from django.utils import timezone

from annotation_site.wsgi import application
from tasks.rating.workflow import assignment, claim_statement

__all__ = ["application"]

STATEMENTS = {
    name: text
    for name, text in vars(claim_statement).items()
    if name.isupper() and isinstance(text, str)
}


def by_own_clock(claim: Callable[..., Any]) -> Callable[..., Any]:
    """With the time of this process in the place of the database's."""

    def claimed(*arguments: Any) -> Any:
        now = f"{timezone.now():%Y-%m-%d %H:%M:%S.%f}"
        for name, text in STATEMENTS.items():
            own = text.replace("'NOW'", f"'{now}'")
            own = own.replace("clock_timestamp()", f"TIMESTAMPTZ '{now}+00'")
            setattr(claim_statement, name, own)
        return claim(*arguments)

    return claimed


for name in ("_claim_on_sqlite", "_claim_on_postgres"):
    setattr(assignment, name, by_own_clock(getattr(assignment, name)))
