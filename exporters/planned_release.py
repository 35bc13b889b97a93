"""A release that is not written yet: what people choose, all that it is made from as it was
collected, its dataset, what its manifest says before any file, and what it would say.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from exporters.privacy import NOBODY, Finding, KnownNames, personal_data_in
from tomahto.releases.comparison.compared import (
    GUIDELINES,
    ComparedRelease,
    compared_tables,
    heading_of,
)
from tomahto.releases.dataset.choices import (
    EVERYTHING,
    NOTHING,
    LeftOut,
    Selection,
    check_split_spec,
    nothing_left,
)
from tomahto.releases.dataset.dataset import Dataset, Terms, assemble_dataset
from tomahto.releases.dataset.labels import LabelChoice
from tomahto.releases.dataset.placement import LabelledItem, Places, place_items, with_splits_of
from tomahto.releases.documents.croissant import croissant_heading
from tomahto.releases.figures.figures import figures_of
from tomahto.releases.files.tables import Table, release_tables
from tomahto.releases.formats.formats import choose_formats
from tomahto.releases.records.checks import check_terms
from tomahto.releases.records.fields import AuditHead, ReleaseError, parse_version
from tomahto.releases.records.ratings import Ratings, take_in_ratings
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnswerRecord,
    CampaignRecord,
    ConfirmedPersonalData,
    Documentation,
    ItemRecord,
    RatingRecord,
    SplitSpec,
)
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.manifest import Manifest


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePlan:
    """`split` is written as tomahto.releases.dataset.choices reads it; `seed` decides splits,
    ties and intervals; `labels` chooses where the label of an item comes from
    (tomahto.releases.dataset.labels), and `selection` what is left out
    (tomahto.releases.dataset.choices); `formats` names further formats to write
    (tomahto.releases.formats.formats), None those that are the default. `requires_datasheet`:
    refuse if the datasheet is incomplete.

    `comments`: what raters added in words is released. `personal_data_reason` says why it may be
    although it may hold personal data; empty if it may not.
    """

    version: str
    split: str
    seed: int
    labels: LabelChoice = "majority"
    comments: bool = False
    personal_data_reason: str = ""
    selection: Selection = EVERYTHING
    formats: tuple[str, ...] | None = None
    requires_datasheet: bool = False

    @classmethod
    def of(cls, chosen: Mapping[str, Any]) -> "ReleasePlan":
        """The plan of the values under the names of these fields and of the selection's; all others
        say nothing of the plan."""
        own, filters = (
            {field.name: chosen[field.name] for field in fields(kind) if field.name in chosen}
            for kind in (cls, Selection)
        )
        return cls(**{**own, "selection": Selection(**filters)})

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"selection": self.selection.as_json()}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ReleasePlan":
        """The plan in the parameters of a job; what older jobs do not say is as it was then.

        Raises ReleaseError if the selection is none.
        """
        selection, formats = data.get("selection"), data.get("formats", ())
        read = EVERYTHING if selection is None else Selection.from_json(selection)
        chosen = None if formats is None else tuple(formats)
        return cls(**{**data, "selection": read, "formats": chosen})


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
        """The number of records to read, label and write."""
        return len(self.items) + len(self.ratings) + len(self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRelease:
    """`manifest` says all but sizes and files. Of items with a counted rating and of answers,
    `items_left_out` and `answers_left_out` are in no split that is named. `findings` are the
    released comments that may hold personal data."""

    campaign: CampaignRecord
    documentation: Documentation
    dataset: Dataset
    manifest: Manifest
    items_left_out: int
    answers_left_out: int
    findings: tuple[Finding, ...]

    def tables(self) -> tuple[Table, ...]:
        return release_tables(self.dataset, self.manifest.tables)

    def compared(self) -> ComparedRelease:
        """To be compared with releases that are written."""
        guidelines = {
            f"{GUIDELINES}v{guideline.version}.md": sha256(guideline.text.encode()).hexdigest()
            for guideline in self.campaign.guidelines
        }
        heading = heading_of(
            self.manifest,
            guidelines=guidelines,
            datasheet=self.documentation.answers,
            croissant=croissant_heading(self.campaign),
        )
        return compared_tables(heading, self.dataset.terms, self.tables())


def planned_release(content: ReleaseContent) -> PlannedRelease:
    """The planned release of the content, whatever the order of its records.

    Raises ReleaseError if a record is wrong or nothing was rated, SplitError if the split cannot
    be made.
    """
    campaign = content.campaign
    formats = _checked_formats(content)
    ratings = _accepted_ratings(content)
    dataset = _dataset(content, ratings)
    findings = personal_data_in(dataset.ratings, content.names) if content.has_comments else ()
    reason = content.personal_data_reason
    rated = int(ratings.have_votes().sum())
    manifest = Manifest(
        campaign=campaign.slug,
        title=campaign.title,
        version=content.version,
        software=content.software,
        created_at=content.created_at.astimezone(UTC),
        terms=dataset.terms,
        flag_questions=dataset.flag_questions,
        optional_columns=dataset.optional_columns,
        digest=content_digest(dataset),
        items_without_ratings=len(content.items) - rated,
        adjudications=len(dataset.adjudications),
        answers=len(dataset.answers),
        personal_data=(
            ConfirmedPersonalData(len(findings), reason) if findings and reason else None
        ),
        left_out=content.left_out,
        formats=formats,
        audit=content.audit,
        imported_raters=_imported_raters(content.documentation, dataset),
    )
    return PlannedRelease(
        campaign=campaign,
        documentation=content.documentation,
        dataset=dataset,
        manifest=manifest,
        items_left_out=rated - len(dataset.items),
        answers_left_out=len(content.answers) - len(dataset.answers),
        findings=findings,
    )


def _imported_raters(documentation: Documentation, dataset: Dataset) -> tuple[str, ...]:
    if documentation.collection is None:
        return ()
    imported = {
        rater.pseudonym for rater in documentation.collection.raters if rater.entry == "import"
    }
    return tuple(sorted(imported & dataset.judges))


def _checked_formats(content: ReleaseContent) -> tuple[str, ...]:
    """The further formats by name, once what is said of the release as a whole is right."""
    parse_version(content.version)
    check_split_spec(content.spec)
    campaign = content.campaign
    formats = choose_formats(campaign.protocol, campaign.accepted_labels, content.formats)
    strays = set(campaign.accepted_labels) - set(campaign.scheme.labels)
    if strays:
        raise ReleaseError(f"{', '.join(sorted(strays))} cannot be accepted: it is not a label")
    if content.created_at.utcoffset() is None:
        raise ReleaseError("created_at has no time zone")
    versions = Counter(guideline.version for guideline in campaign.guidelines)
    for version, count in versions.items():
        if count > 1:
            raise ReleaseError(f"guideline version {version} occurs {count} times")
    return formats


def _accepted_ratings(content: ReleaseContent) -> Ratings:
    campaign, labels = content.campaign, content.campaign.scheme.labels
    keys, schemes = campaign.question_keys, campaign.question_schemes
    check_terms(campaign.protocol, labels, keys, schemes)
    ratings = take_in_ratings(content.ratings, labels, keys, schemes)
    if not ratings.have_votes().any():
        raise nothing_left(content.left_out, len(ratings))
    return ratings


def _dataset(content: ReleaseContent, ratings: Ratings) -> Dataset:
    campaign = content.campaign

    def voted() -> Iterator[ItemRecord]:
        ids = set(ratings.of_items(ratings.have_votes()).item_ids)
        yield from (item for item in content.items if item.id in ids)

    terms = Terms(
        campaign.protocol,
        campaign.scheme,
        campaign.question_keys,
        with_splits_of(voted(), content.spec),
        content.seed,
        question_schemes=campaign.question_schemes,
        choice=content.labels,
        has_comments=content.has_comments,
        selection=content.selection,
        accepted_labels=campaign.accepted_labels,
        exact_rule=campaign.exact_rule,
    )

    def place(items: Collection[LabelledItem], answers: Sequence[AnswerRecord]) -> Places:
        return place_items(items, terms.spec, content.seed, content.kept_documents, answers)

    return assemble_dataset(
        terms, content.items, ratings, place, content.adjudications, content.answers
    )


def release_preview(planned: PlannedRelease) -> dict[str, Any]:
    """The figures that the release would publish, by the functions that make them.

    - `statistics`, `splits`: statistics.json and splits.json, whole
    - `agreement`: agreement.json without the tables of single questions and pairs of raters, which
      grow with the number of raters
    - `items_without_ratings`, and `items_left_out`, which no split names
    - `left_out` by the selection, as the manifest has it
    - `findings`: comments that may hold personal data, by item and rater
    """
    figures, manifest = figures_of(planned.dataset), planned.manifest
    return {
        "statistics": figures.statistics,
        "splits": figures.splits,
        "agreement": {
            "whole": _summary(figures.agreement["whole"]),
            "splits": {name: _summary(part) for name, part in figures.agreement["splits"].items()},
        },
        "items_without_ratings": manifest.items_without_ratings,
        "items_left_out": planned.items_left_out,
        "left_out": manifest.left_out.as_json(),
        "findings": [finding.as_json() for finding in planned.findings],
    }


def _summary(part: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in ("kappa", "questions")}
