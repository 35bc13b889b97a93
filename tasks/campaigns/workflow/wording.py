"""Publishing the words of a campaign's form in another language."""

import hashlib
import json
import secrets
from collections.abc import Iterable
from operator import attrgetter

from django.db import transaction
from django.db.models import Max

from tasks.campaigns.queries.wordings import wording_in_force, wording_languages, wordings_in_force
from tasks.models import AuditAction, Campaign, Wording
from tasks.protocols.wording import Texts, form_texts
from tasks.storing.acts import record
from tasks.storing.refusals import Refusal

MAX_TEXT = 2000  # characters of one text of a form


class WordingError(ValueError):
    """A wording that cannot be; told in one line."""


class UnknownWording(Refusal):
    """A rating names a wording that the campaign never had."""

    status = 400


@transaction.atomic
def publish_wording(*, campaign: Campaign, language: str, texts: Texts) -> Wording:
    """The next version of the form in a language, in force from now on; equal texts change nothing.

    Raises WordingError for a language that the pages do not have, and for texts that are not those
    of the form.
    """
    campaign = _locked(campaign)
    if language not in wording_languages():
        raise WordingError(f"language {language!r} is not one of {', '.join(wording_languages())}")
    originals = form_texts(campaign.annotation_protocol)
    given = {text: str(texts.get(text, "")).strip() for text in originals}
    if stray := sorted(texts.keys() - given.keys()):
        raise WordingError(f"{stray[0]!r} is no text of the form")
    for text, wording in given.items():
        if not wording:
            raise WordingError(f"there is no wording of {text!r}")
        if len(wording) > MAX_TEXT:
            raise WordingError(f"the wording of {text!r} is longer than {MAX_TEXT} characters")
    current = wording_in_force(campaign, language)
    if current is not None and current.texts == given:
        return current
    published = _add(campaign, language, given)
    _put_in_force(campaign, [*_others(campaign, language), published])
    record(
        AuditAction.WORDING_PUBLISHED,
        campaign=campaign,
        subject=("wording", f"{language}, version {published.version}"),
        details={"sha256": _sha256(given)},
    )
    return published


@transaction.atomic
def withdraw_wording(*, campaign: Campaign, language: str) -> bool:
    """From now on raters of this language see the original again; False if they did already."""
    campaign = _locked(campaign)
    current = wording_in_force(campaign, language)
    if current is None:
        return False
    _put_in_force(campaign, _others(campaign, language))
    record(
        AuditAction.WORDING_WITHDRAWN,
        campaign=campaign,
        subject=("wording", f"{language}, version {current.version}"),
    )
    return True


def follow_guideline(*, campaign: Campaign) -> None:
    """Take the wordings in force over to new guidelines, as versions of their own."""
    if current := _others(campaign, ""):
        taken_over = [_add(campaign, each.language, each.texts) for each in current]
        _put_in_force(campaign, taken_over)


def require_wording(campaign: Campaign, key: int | None) -> None:
    """Raises UnknownWording unless it is None or a wording that the campaign has, or had."""
    if key is None or key in wordings_in_force(campaign).values():
        return
    if not Wording.objects.filter(pk=key, campaign=campaign).exists():
        raise UnknownWording("the campaign has no such wording of its form")


def _locked(campaign: Campaign) -> Campaign:
    """Two who publish at once take turns; the caller's object gets what is in force."""
    stored = Campaign.objects.select_for_update().get(pk=campaign.pk)
    campaign.wordings_in_force = stored.wordings_in_force
    campaign.guideline_id = stored.guideline_id
    return campaign


def _add(campaign: Campaign, language: str, texts: Texts) -> Wording:
    earlier = Wording.objects.filter(campaign=campaign, language=language)
    last = earlier.aggregate(last=Max("version"))["last"] or 0
    return Wording.objects.create(
        campaign=campaign,
        language=language,
        version=last + 1,
        guideline_id=campaign.guideline_id,
        texts=dict(texts),
    )


def _others(campaign: Campaign, language: str) -> list[Wording]:
    """What is in force in other languages than this one."""
    found = (wording_in_force(campaign, each) for each in wordings_in_force(campaign))
    return [wording for wording in found if wording and wording.language != language]


def _put_in_force(campaign: Campaign, wordings: Iterable[Wording]) -> None:
    """As `tasks.campaigns.queries` reads it."""
    ordered = sorted(wordings, key=attrgetter("language"))
    campaign.wordings_in_force = " ".join(
        f"{each.language}:{each.pk}:{secrets.token_hex(4)}" for each in ordered
    )
    campaign.save(update_fields=["wordings_in_force"])


def _sha256(content: object) -> str:
    written = json.dumps(content, ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(written.encode()).hexdigest()
