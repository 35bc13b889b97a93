"""A release that is not written yet: its dataset, and what its manifest says before any file."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC
from hashlib import sha256

from exporters.content import ReleaseContent
from exporters.privacy.personal_data import Finding, personal_data_in
from tomahto.releases.comparison.compared import (
    GUIDELINES,
    ComparedRelease,
    compared_tables,
    heading_of,
)
from tomahto.releases.dataset.dataset import Dataset, Terms, assemble_dataset
from tomahto.releases.dataset.placement import LabelledItem, Places, place_items, with_splits_of
from tomahto.releases.dataset.selection import nothing_left
from tomahto.releases.dataset.split_spec import check_split_spec
from tomahto.releases.documents.croissant import croissant_heading
from tomahto.releases.files.tables import Table, release_tables
from tomahto.releases.formats.formats import choose_formats
from tomahto.releases.records.checks import check_terms
from tomahto.releases.records.collection import ConfirmedPersonalData, Documentation
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.rating_intake import take_in_ratings
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import AnswerRecord, CampaignRecord
from tomahto.releases.records.versions import parse_version
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.manifest import Manifest


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
    """What the content makes, whatever the order of its records.

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
    voted = set(ratings.of_items(ratings.have_votes()).item_ids)
    terms = Terms(
        campaign.protocol,
        campaign.scheme,
        campaign.question_keys,
        with_splits_of((item for item in content.items if item.id in voted), content.spec),
        content.seed,
        question_schemes=campaign.question_schemes,
        choice=content.labels,
        has_comments=content.has_comments,
        selection=content.selection,
        accepted_labels=campaign.accepted_labels,
        exact_rule=campaign.exact_rule,
    )

    def place(items: Sequence[LabelledItem], answers: Sequence[AnswerRecord]) -> Places:
        return place_items(items, terms.spec, content.seed, content.kept_documents, answers)

    return assemble_dataset(
        terms, content.items, ratings, place, content.adjudications, content.answers
    )
