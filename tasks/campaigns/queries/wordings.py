"""The words in which a campaign's form is shown."""

from functools import lru_cache
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import get_language

from tasks.models import Campaign, Wording
from tasks.protocols import get_protocol
from tasks.protocols.definition import AnnotationProtocol
from tasks.protocols.wording import ORIGINAL, worded


def wording_languages() -> dict[str, str]:
    """The languages in which a form can be worded, each with its own name: those of the pages
    without that of the original."""
    return {code: name for code, name in settings.LANGUAGES if code != ORIGINAL}


class InForce(NamedTuple):
    """A wording in force: its key, and a mark of its own that no other row of this key ever has."""

    key: int
    mark: str


def wordings_in_force(campaign: Campaign) -> dict[str, int]:
    """The key of the wording by its language."""
    return {language: each.key for language, each in _in_force(campaign).items()}


def wording_in_force(campaign: Campaign, language: str) -> Wording | None:
    found = _in_force(campaign).get(language)
    return _wording(*found) if found else None


def _in_force(campaign: Campaign) -> dict[str, InForce]:
    """As `tasks.campaigns.workflow.wording` writes it down."""
    parts = (each.split(":") for each in campaign.wordings_in_force.split())
    return {language: InForce(int(key), mark) for language, key, mark in parts}


def shown_wording(campaign: Campaign) -> Wording | None:
    """The wording in the language of the page that is being made; None is the original."""
    return wording_in_force(campaign, get_language() or ORIGINAL)


def shown_form(campaign: Campaign) -> AnnotationProtocol:
    """The campaign's protocol in the words that `shown_wording` says."""
    found = _in_force(campaign).get(get_language() or ORIGINAL)
    return _worded(campaign.protocol, *found) if found else campaign.annotation_protocol


def form_language(campaign: Campaign) -> str:
    """The language of `shown_form`."""
    wording = shown_wording(campaign)
    return wording.language if wording else ORIGINAL


# Remembered by its mark as well: a key may come again, as after a backup was restored.
@lru_cache(maxsize=256)
def _wording(key: int, mark: str) -> Wording:  # noqa: ARG001 - see above
    return Wording.objects.select_related("guideline").get(pk=key)


@lru_cache(maxsize=256)
def _worded(protocol: str, key: int, mark: str) -> AnnotationProtocol:
    return worded(get_protocol(protocol), _wording(key, mark).texts)
