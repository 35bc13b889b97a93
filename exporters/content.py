"""All that a release is made from, and the dataset that follows from it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from exporters.privacy.personal_data import (
    NOBODY,
    Finding,
    KnownNames,
    PersonalDataError,
    personal_data_in,
)
from tomahto.releases.dataset.dataset import Dataset, Terms, assemble_dataset
from tomahto.releases.dataset.labels import LabelChoice
from tomahto.releases.dataset.placement import LabelledItem, Places, place_items, with_splits_of
from tomahto.releases.dataset.selection import EVERYTHING, NOTHING, LeftOut, Selection, nothing_left
from tomahto.releases.dataset.split_spec import check_split_spec
from tomahto.releases.formats.formats import choose_formats
from tomahto.releases.records.audit_head import AuditHead
from tomahto.releases.records.checks import check_terms
from tomahto.releases.records.collection import ConfirmedPersonalData, Documentation
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.rating_intake import take_in_ratings
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnswerRecord,
    CampaignRecord,
    ItemRecord,
    RatingRecord,
    SplitSpec,
)
from tomahto.releases.records.versions import parse_version
from tomahto.releases.stored.digest import content_digest


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

    @cached_property
    def terms(self) -> Terms:
        """Raises SplitError if the splits of the source are asked for and none is known."""
        campaign = self.campaign
        return Terms(
            campaign.protocol,
            campaign.scheme,
            campaign.question_keys,
            with_splits_of(self._rated_items(), self.spec),
            self.seed,
            question_schemes=campaign.question_schemes,
            choice=self.labels,
            has_comments=self.has_comments,
            selection=self.selection,
            accepted_labels=campaign.accepted_labels,
        )

    @property
    def chosen_formats(self) -> tuple[str, ...]:
        """The further formats by name. Raises ReleaseError if one is unknown or does not suit."""
        campaign = self.campaign
        return choose_formats(campaign.protocol, campaign.accepted_labels, self.formats)

    @cached_property
    def accepted_ratings(self) -> Ratings:
        """The ratings as a release holds them, taken in once. Raises ReleaseError if one is wrong
        or the protocol is."""
        campaign, labels = self.campaign, self.campaign.scheme.labels
        check_terms(campaign.protocol, labels, campaign.question_keys, campaign.question_schemes)
        return take_in_ratings(
            self.ratings, labels, campaign.question_keys, campaign.question_schemes
        )

    @cached_property
    def items_without_ratings(self) -> int:
        """How many items have no counted rating."""
        return len(self.items) - sum(1 for _ in self._rated_items())

    def _rated_items(self) -> Iterator[ItemRecord]:
        ratings = self.accepted_ratings
        rated = set(ratings.of_items(ratings.have_votes()).item_ids)
        return (item for item in self.items if item.id in rated)

    @cached_property
    def dataset(self) -> Dataset:
        """What the content makes, made once. Raises what build_dataset raises."""
        return build_dataset(self)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The released comments that may hold personal data; none where comments are not."""
        return personal_data_in(self.dataset.ratings, self.names) if self.has_comments else ()

    @property
    def confirmed_personal_data(self) -> ConfirmedPersonalData | None:
        """What comments may hold by somebody's leave; PersonalDataError if nobody gave it."""
        if not self.findings:
            return None
        if not self.personal_data_reason:
            raise PersonalDataError(self.findings)
        return ConfirmedPersonalData(len(self.findings), self.personal_data_reason)

    @cached_property
    def digest(self) -> str:
        """The digest of the dataset, computed once."""
        return content_digest(self.dataset)


def build_dataset(content: ReleaseContent) -> Dataset:
    """The dataset that the content makes, whatever the order of its records.

    Raises ReleaseError if a record is wrong or nothing was rated, SplitError if the split cannot
    be made.
    """
    _check_heading(content)
    ratings = content.accepted_ratings
    if not ratings.have_votes().any():
        raise nothing_left(content.left_out, len(ratings))

    terms = content.terms

    def place(items: Sequence[LabelledItem], answers: Sequence[AnswerRecord]) -> Places:
        return place_items(items, terms.spec, content.seed, content.kept_documents, answers)

    return assemble_dataset(
        terms, content.items, ratings, place, content.adjudications, content.answers
    )


def _check_heading(content: ReleaseContent) -> None:
    parse_version(content.version)
    check_split_spec(content.spec)
    campaign = content.campaign
    choose_formats(campaign.protocol, campaign.accepted_labels, content.formats)
    strays = set(campaign.accepted_labels) - set(campaign.scheme.labels)
    if strays:
        raise ReleaseError(f"{', '.join(sorted(strays))} cannot be accepted: it is no label")
    if content.created_at.utcoffset() is None:
        raise ReleaseError("created_at has no time zone")
    versions = Counter(guideline.version for guideline in campaign.guidelines)
    for version, count in versions.items():
        if count > 1:
            raise ReleaseError(f"guideline version {version} is there {count} times")
