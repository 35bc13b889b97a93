"""A part of a campaign's ratings, of which figures can be worked out as of all of them."""

from dataclasses import asdict, dataclass
from datetime import date
from typing import Literal
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The ratings that meet every condition that is set; all of them where none is.

    system: of items that this system is among those of.
    since, until: given on these days or between them, in the site's own time zone; ratings without
        a time are left out as soon as either is set.
    guideline: given under this version of the guidelines; 0: under none, as imports are.
    source: "rated" here, on an assignment, or "imported" from files.
    """

    system: str = ""
    since: date | None = None
    until: date | None = None
    guideline: int | None = None
    source: Literal["", "rated", "imported"] = ""

    @property
    def key(self) -> str:
        """The conditions as the query of an address, always in the same order; "" for none."""
        return urlencode(
            {name: value for name, value in asdict(self).items() if value not in ("", None)}
        )
