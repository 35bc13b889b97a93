"""The datasheet of a release to be."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any

from exporters.content import ReleaseContent
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.documents.authors import AuthorsError
from tomahto.releases.documents.datasheet import Datasheet, Heading
from tomahto.releases.documents.datasheet_questions import AUTHORS
from tomahto.releases.documents.known_facts import facts_of_platform, facts_of_release
from tomahto.releases.records.errors import ReleaseError

Figures = Mapping[str, Any]


def release_datasheet(
    content: ReleaseContent, dataset: Dataset, statistics: Figures, agreement: Figures
) -> Datasheet:
    """Raises ReleaseError if the answer that names the authors does not."""
    campaign, documentation = content.campaign, content.documentation
    published = content.created_at.astimezone(UTC).date()
    sheet = Datasheet(
        heading=Heading(
            campaign=campaign.slug,
            title=" ".join(campaign.title.split()),
            version=content.version,
            published=published.isoformat(),
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
