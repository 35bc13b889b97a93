"""What is made of the content of a release before its files: figures, and the datasheet."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from exporters.content import ReleaseContent
from tomahto.releases.dataset.split_report import split_report
from tomahto.releases.documents.authors import AuthorsError
from tomahto.releases.documents.datasheet import Datasheet, Heading
from tomahto.releases.documents.datasheet_questions import AUTHORS
from tomahto.releases.documents.known_facts import facts_of_platform, facts_of_release
from tomahto.releases.figures.agreement import release_agreement
from tomahto.releases.figures.statistics import release_statistics
from tomahto.releases.records.errors import ReleaseError


@dataclass(frozen=True, slots=True)
class Figures:
    """What is made of a release; all but the digest are the files so called."""

    digest: str
    agreement: Mapping[str, Any]
    statistics: Mapping[str, Any]
    splits: Mapping[str, Any]
    datasheet: Datasheet


def release_figures(content: ReleaseContent) -> Figures:
    """Raises what making the dataset of the content raises, and ReleaseError if the answer that
    names the authors of the datasheet does not."""
    dataset = content.dataset
    statistics, agreement = release_statistics(dataset), release_agreement(dataset)
    datasheet = release_datasheet(content, statistics, agreement)
    return Figures(content.digest, agreement, statistics, split_report(dataset), datasheet)


def release_datasheet(
    content: ReleaseContent, statistics: Mapping[str, Any], agreement: Mapping[str, Any]
) -> Datasheet:
    """Raises ReleaseError if the answer that names the authors does not."""
    campaign, dataset, documentation = content.campaign, content.dataset, content.documentation
    sheet = Datasheet(
        heading=Heading(
            campaign=campaign.slug,
            title=" ".join(campaign.title.split()),
            version=content.version,
            published=content.created_at.astimezone(UTC).date().isoformat(),
        ),
        answers=documentation.answers,
        release=facts_of_release(dataset, statistics, agreement, content.items_without_ratings),
        platform=facts_of_platform(dataset, campaign.licence, documentation.collection),
    )
    try:
        _ = sheet.authors
    except AuthorsError as error:
        raise ReleaseError(f"datasheet, {AUTHORS}: {error}") from error
    return sheet
