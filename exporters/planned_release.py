"""A release that is not written yet, to be compared with those that are."""

from hashlib import sha256

from exporters.content import ReleaseContent
from tomahto.releases.comparison.compared import (
    GUIDELINES,
    ComparedRelease,
    Heading,
    compared_dataset,
    settings_of,
    stated,
)
from tomahto.releases.documents.croissant import croissant_heading


def planned_release(content: ReleaseContent) -> ComparedRelease:
    """Raises what making the dataset of the content raises."""
    return compared_dataset(_heading(content), content.dataset)


def _heading(content: ReleaseContent) -> Heading:
    campaign, dataset = content.campaign, content.dataset
    guidelines = {
        f"{GUIDELINES}v{guideline.version}.md": sha256(guideline.text.encode()).hexdigest()
        for guideline in campaign.guidelines
    }
    return Heading(
        campaign=campaign.slug,
        version=content.version,
        digest=content.digest,
        settings=settings_of(campaign.slug, dataset.terms, dataset.flag_questions),
        documentation={
            "title": campaign.title,
            "guidelines": guidelines,
            "software": content.software,
            "formats": content.chosen_formats,
            "datasheet": stated(content.documentation.answers),
            **croissant_heading(campaign),
        },
    )
