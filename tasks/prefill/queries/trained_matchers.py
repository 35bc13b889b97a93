"""The matchers that a campaign has trained, and those it may use."""

from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet

from tasks.models import Campaign, TrainedMatcher
from tomahto.matching.interface import Matcher
from tomahto.matching.registry import UnknownMatcherError, available_matchers, matcher_names
from tomahto.matching.trainable import OF_CAMPAIGN, NamedMatcher, read_matcher, read_model
from tomahto.pretrained.content_folder import ContentFolder


def trained_matchers(campaign: Campaign) -> QuerySet[TrainedMatcher]:
    """All of them, newest first, without their weights."""
    return (
        TrainedMatcher.objects.filter(campaign=campaign).select_related("campaign").defer("weights")
    )


def trained_matcher_names(campaign: Campaign) -> list[str]:
    """The names under which they can be used, in alphabetical order."""
    kinds = trained_matchers(campaign).order_by("kind").values_list("kind", flat=True).distinct()
    return [f"{kind}{OF_CAMPAIGN}{campaign.slug}" for kind in kinds]


def usable_matchers(campaign: Campaign) -> list[str]:
    """The names of the matchers that can be loaded here, the campaign's own ones last."""
    return [*available_matchers(), *trained_matcher_names(campaign)]


def is_trained_name(name: str) -> bool:
    """Whether it is the name of a matcher that some campaign may have trained."""
    return OF_CAMPAIGN in name


def when_trained(campaign: Campaign, name: str) -> datetime | None:
    """When the newest matcher of that name was trained; None if the campaign has trained none."""
    kind, _, slug = name.partition(OF_CAMPAIGN)
    if slug != campaign.slug:
        return None
    trained = trained_matchers(campaign).filter(kind=kind)
    return trained.values_list("created_at", flat=True).first()


def require_matcher_name(campaign: Campaign, name: str) -> None:
    """Raises UnknownMatcherError unless the campaign could use a matcher of that name."""
    known = [*matcher_names(), *trained_matcher_names(campaign)]
    if name not in known:
        raise UnknownMatcherError(f"no matcher {name!r}; known: {', '.join(known)}")


def load_trained_matcher(campaign: Campaign, name: str) -> Matcher:
    """The newest matcher of that name that the campaign itself has trained.

    Raises UnknownMatcherError, WeightsError if this version of Tomahto cannot read it, and
    ModelError if torch is missing or the files are not those that were stored.
    """
    kind, _, slug = name.partition(OF_CAMPAIGN)
    trained = TrainedMatcher.objects.filter(campaign=campaign, kind=kind).first()
    if trained is None or slug != campaign.slug:
        raise UnknownMatcherError(
            f"campaign {campaign.slug!r} has trained no matcher {name!r}; "
            f"it has trained: {', '.join(trained_matcher_names(campaign)) or 'none yet'}"
        )
    return NamedMatcher(_read(trained, name), name)


def _read(trained: TrainedMatcher, name: str) -> Matcher:
    if trained.folder:
        root = Path(settings.MATCHERS_DIR).resolve()
        folder = root / trained.folder
        if not folder.resolve().is_relative_to(root):
            raise UnknownMatcherError(f"{name} is not among the site's matchers")
        return read_model(trained.kind, ContentFolder(folder, trained.digest))
    return read_matcher(trained.kind, trained.weights, f"{name} {trained.digest}")
