"""All that a release is made from, as it was collected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from exporters.privacy.personal_data import NOBODY, KnownNames
from tomahto.releases.dataset.labels import LabelChoice
from tomahto.releases.dataset.selection import EVERYTHING, NOTHING, LeftOut, Selection
from tomahto.releases.records.audit_head import AuditHead
from tomahto.releases.records.collection import Documentation
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnswerRecord,
    CampaignRecord,
    ItemRecord,
    RatingRecord,
    SplitSpec,
)


@dataclass(frozen=True, kw_only=True)
class ReleaseContent:
    """One release to be: the records, how to split them, and what to call the outcome.

    `seed` decides ties, the order in which documents are split, and the bootstrap of agreement.
    `created_at` has a time zone. `kept_documents` says in which split an earlier release has a
    document; it stays there. `software` names the program and its version for the manifest.
    `labels` chooses where the label of an item comes from (tomahto.releases.dataset.labels).
    `selection` says what the records are of all there are, and `left_out` how much they lack.
    `formats` are the further formats to write (tomahto.releases.formats.formats); None: those that
    suit the protocol and are the default. `documentation` is what is known beside the records, and
    no part of the digest; nor is `audit`, how far the site's audit log had come. `has_comments`:
    the ratings' comments are released; `answers` are those of the systems with all of their items,
    rated or not; `names` are those of people who could be named in them, and `personal_data_reason`
    is why they may be released although they may hold personal data.
    """

    campaign: CampaignRecord
    items: Sequence[ItemRecord]
    ratings: Sequence[RatingRecord]
    spec: SplitSpec
    seed: int
    version: str
    created_at: datetime
    kept_documents: Mapping[str, str] = field(default_factory=dict)
    software: str = "tomahto"
    labels: LabelChoice = "majority"
    has_comments: bool = False
    names: KnownNames = NOBODY
    personal_data_reason: str = ""
    adjudications: Sequence[AdjudicationRecord] = ()
    answers: Sequence[AnswerRecord] = ()
    selection: Selection = EVERYTHING
    left_out: LeftOut = NOTHING
    formats: Sequence[str] | None = None
    documentation: Documentation = field(default_factory=Documentation)
    audit: AuditHead | None = None

    @property
    def rows(self) -> int:
        """How many records there are to read, label and write."""
        return len(self.items) + len(self.ratings) + len(self.answers)
