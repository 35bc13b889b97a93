"""What a release is made of: plain records, handed over by the database side or by a test.

Nothing here depends on when, where or in which order the data was imported; the digest of a
release is computed from these records alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from measures.scheme import LabelScheme


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One thing that was rated. `id` is unique in the campaign and the same on every machine."""

    id: str
    document: str
    question_id: str
    question: str
    context: str
    references: tuple[str, ...]
    candidate: str
    systems: tuple[str, ...]
    reference_index: int | None = None  # place of the one reference among the question's (ae)
    question_type: str = ""  # a kind of question that results are reported by (CAP Tab. 15)


@dataclass(frozen=True, slots=True)
class RatingRecord:
    """One rater's current rating of one item.

    `answers` maps question keys of the protocol to canonical values; questions that were not
    asked are absent. `counted` is false for a surplus rating: it is published, but takes no
    part in votes and agreement. `rated_at` is None when an import did not say.
    """

    item_id: str
    rater: str  # pseudonym
    label: str
    answers: Mapping[str, str]
    counted: bool = True
    seconds: float | None = None
    rated_at: datetime | None = None
    guideline_version: int | None = None
    suggestion_shown: bool | None = None  # None when not known (imported ratings)


@dataclass(frozen=True, slots=True)
class Guideline:
    version: int
    text: str  # Markdown


@dataclass(frozen=True, slots=True)
class CampaignRecord:
    """What a release says of the campaign. Protocol, scheme and questions enter its digest."""

    slug: str
    title: str
    description: str
    protocol: str
    scheme: LabelScheme
    question_keys: tuple[str, ...]  # the protocol's questions in the order asked
    guidelines: Sequence[Guideline] = field(default_factory=tuple)
    language: str = "en"
    licence: str = "cc-by-4.0"


@dataclass(frozen=True, slots=True)
class SplitSpec:
    """`document:dev=30,test=70` — documents are kept whole; shares are of items, in per cent."""

    by: str
    shares: Mapping[str, float]
