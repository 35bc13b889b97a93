"""What a platform knows of how ratings came about, and what people have written about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Entry = Literal["account", "invitation", "crowd", "import"]
"""How somebody came into a campaign: an account they were given, an invitation link, a crowd
service, or ratings that were imported under their name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterRecord:
    """A member of the campaign under a pseudonym. Nothing of it is published but in counts.

    `consents` are the versions of the consent text they agreed to.
    """

    pseudonym: str
    role: str
    entry: Entry
    is_active: bool = True
    consents: tuple[int, ...] = ()
    calibration_attempts: int = 0
    has_passed_calibration: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionRecord:
    """The members who may have rated or adjudicated, and what was asked of them, as it is now."""

    raters: Sequence[RaterRecord]
    consent_versions: tuple[int, ...] = ()
    requires_calibration: bool = False
    calibration_items: int = 0
    pass_percent: int = 0
    attempts_allowed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Documentation:
    """What a release says of itself beyond its data; none of it enters the digest.

    `answers` are to the questions of tomahto.releases.documents.datasheet_questions, by key; a
    blank is no answer. `collection` is None where no platform tells, as for records put together by
    a script.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    collection: CollectionRecord | None = None


@dataclass(frozen=True, slots=True)
class ConfirmedPersonalData:
    """Comments that may hold personal data and are released all the same, as somebody confirmed,
    and why."""

    comments: int
    reason: str
