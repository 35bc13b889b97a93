"""The records of a release: plain, handed over by the database side or by a test.

Nothing here depends on when, where or in which order the data was imported; the digest of a
release is computed from the records of its content alone. What a platform knows of how ratings came
about, and what people have written about it, is in its documents only.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, get_args

from tomahto.text.normalisation import ExactRule
from tomahto.votes.remarks import Remarks
from tomahto.votes.scheme import LabelScheme, QuestionScheme


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One thing that was rated. `id` is unique in the campaign and the same on every machine.

    `unrated_references` are those of its question in no item or answer of the release, sorted; of a
    record that is handed in, any of the question's.
    """

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
    source_split: str = ""  # the split that the source has the question in
    intended: str = ""  # what a model was asked to write, if the candidate is a generated text
    unrated_references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RatingRecord(Remarks):
    """One rater's current rating of one item.

    `answers` maps question keys of the protocol to canonical values; questions that were not
    asked are absent. `counted` is false for a surplus rating and for one that an admin has
    `set_aside`: it is published, but takes no part in votes and agreement. `rated_at` is None when
    an import did not say. Private remarks are empty where comments are not released.
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
    set_aside: bool = False


@dataclass(frozen=True, slots=True)
class AdjudicationRecord:
    """One adjudicator's current decision on one item; `first_label` is that of a blind first look.

    Reasons stay inside the platform.
    """

    item_id: str
    adjudicator: str  # pseudonym
    label: str
    first_label: str | None = None
    guideline_version: int | None = None


Settled = Literal["exact", "rated", "not-rated"]
SETTLED: tuple[Settled, ...] = get_args(Settled)


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question that systems answered, with all of its references, in no order that matters."""

    id: str
    document: str
    question: str
    context: str
    references: tuple[str, ...]
    source_split: str = ""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """A text that a system gave to a question, rated or not.

    `settled` is `exact` where the text was one of the references by the rule that the campaign had
    when it was taken in (tomahto.text.normalisation), which nobody has to rate; `rated` where
    all of its `items` have a counted rating; else `not-rated`. `items` are ids, of items that may
    have come with another question of the same texts (tomahto.ranking.system_answers). A record
    that is handed in names all of the answer's items, and is `rated` if it has any: a release keeps
    those that are in it, and finds out whether one is missing (tomahto.releases.records.intake).
    `splits` are those of a release.
    """

    question: AnsweredQuestion
    system: str
    candidate: str
    settled: Settled
    items: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """The key that has one answer: question, system and text."""
        return self.question.id, self.system, self.candidate


@dataclass(frozen=True, slots=True)
class Guideline:
    version: int
    text: str  # Markdown


@dataclass(frozen=True, slots=True)
class CampaignRecord:
    """A release's facts of the campaign. Protocol, scheme and questions enter its digest."""

    slug: str
    title: str
    description: str
    protocol: str
    scheme: LabelScheme
    question_keys: tuple[str, ...]  # the protocol's questions in the order asked
    question_schemes: tuple[QuestionScheme, ...] = ()  # those with answers to choose from
    accepted_labels: tuple[str, ...] = ()  # under which a candidate answers its question rightly
    exact_rule: ExactRule = ExactRule.STRICT
    guidelines: Sequence[Guideline] = field(default_factory=tuple)
    language: str = "en"
    licence: str = "cc-by-4.0"


@dataclass(frozen=True, slots=True)
class SplitSpec:
    """The splits of a release, as `tomahto.releases.dataset.choices` writes and reads them.

    `by` is `document`, `folds`, `system` or `predefined`. By document and in folds, documents are
    kept whole and `shares` are of items, in per cent; by system, `systems` says whose items each
    split has; predefined splits are those of the source, and `predefined` says which of them (all
    if it is empty, until `with_splits_of` has named them). `kept` are splits of the source, sorted:
    what it has there stays there, and the rest is divided by document or in folds.
    `stratified`: every split should have the labels of the whole. `reports_leaks`: go on where
    near-duplicate questions are on two sides, and say so. `omits_others`: items of systems or in
    splits that are not named are left out.
    """

    by: str
    shares: Mapping[str, float]
    systems: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    predefined: tuple[str, ...] = ()
    stratified: bool = False
    reports_leaks: bool = False
    omits_others: bool = False
    kept: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The splits, in the order in which they are written."""
        if self.by == "predefined":
            return self.predefined
        return tuple(self.systems) if self.by == "system" else (*self.kept, *self.shares)

    @property
    def keeps_documents(self) -> bool:
        """Whether no document is to be on two sides."""
        return bool(self.shares) and not (self.kept and self.reports_leaks)

    def kept_split(self, source_split: str) -> str:
        """The split itself if what the source has in it stays there, "" if not."""
        return source_split if source_split in self.kept else ""


Entry = Literal["account", "invitation", "crowd", "import"]
"""A person's way into a campaign: an account they were given, an invitation link, a crowd service,
or ratings that were imported under their name."""


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
    """A release's facts of itself beyond its data; none of them enters the digest.

    `answers` are to the questions of tomahto.releases.documents.datasheet, by key; a
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
