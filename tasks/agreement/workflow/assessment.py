"""The figures of the dashboards: worked out at once where that is quick, else by a worker.

A campaign with few ratings has its figures worked out whenever somebody looks, so they are never
old. With more than LIVE_RATINGS a worker works them out, when somebody looks and at least every
few minutes while ratings come in; what is shown says of when it is. The figures follow from the
ratings, so whatever is lost is worked out again: no attempt has to be remembered.

Figures of a part of the ratings (`Campaign.narrowed_to`) of such a campaign are noted when somebody
asks for them. The worker works them out with the rest, as long as somebody looks at them.
"""

import json
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from django.db import transaction
from django.db.models import BooleanField, ExpressionWrapper, F, Max, Q, QuerySet
from django.db.models.functions import Now

from tasks.agreement.figures.contents_figures import contents_figures
from tasks.agreement.figures.figures import FIGURES, require_narrowed
from tasks.agreement.workflow.alerts import latest_look, look_if_due, raise_after_look
from tasks.models import Assessment, Campaign, CampaignState, Figures, NarrowedFigures, Rating
from tasks.storing.messages import send
from tasks.storing.refusals import as_reason
from tasks.votes.items import MANY_RATINGS
from tasks.votes.ratings import NarrowingError, counted_ratings, narrow, narrowing_of
from tomahto.types import JsonObject

ASSESS = "tasks.assess"
LIVE_RATINGS = 5000
MAX_ERROR = 2000  # characters
AGAIN_AFTER = timedelta(minutes=5)  # while ratings come in and nobody looks
SENT_AGAIN_AFTER = timedelta(minutes=1)  # a message that nobody took up
TAKEN_FOR = timedelta(minutes=15)  # a worker that has died has let go by then
NOTED_AGAIN_AFTER = timedelta(hours=1)  # that somebody looks at figures of a part
KEPT_FOR = timedelta(days=1)  # figures of a part that nobody looks at
KEPT_PARTS = 12  # of a campaign that nobody has looked at for an hour
MOST_PARTS = 48  # of a campaign: those looked at last

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ShownFigures:
    """Figures as they are shown: `content` is None while they are worked out for the first time.

    `made_at` is None for figures of this moment. `is_current` is false if newer ones are wanted.
    `error` is why the last attempt gave none.
    """

    content: dict[str, Any] | None
    made_at: datetime | None = None
    is_current: bool = True
    error: str = ""


def figures_of(campaign: Campaign, name: str) -> ShownFigures:
    """The figures of a dashboard, of this moment or as they were last worked out: of the ratings
    that the campaign is narrowed to, if it is. Raises NotNarrowedError."""
    shown = all_figures_of(campaign, [name])
    return replace(shown, content=shown.content and shown.content[name])


def all_figures_of(campaign: Campaign, names: Collection[str]) -> ShownFigures:
    """As `figures_of`, those of several dashboards by their names, of one moment; `content` is None
    while any of them is missing."""
    for name in names:
        require_narrowed(campaign, name)
    assessment = Assessment.objects.filter(campaign=campaign).first()
    if is_live(campaign, assessment):
        return ShownFigures({name: FIGURES[name](campaign) for name in names})
    key = campaign.narrowed_to.key if campaign.narrowed_to else ""
    stored = _narrowed(campaign, key, names) if key else {}
    if assessment is None or assessment.made_at is None:
        return ShownFigures(None, is_current=False, error=assessment.error if assessment else "")
    if not key:
        wanted = assessment.figures.filter(name__in=names)
        stored = dict(wanted.values_list("name", "content"))
    is_there = stored.keys() >= set(names)
    return ShownFigures(
        content={name: json.loads(stored[name]) for name in names} if is_there else None,
        made_at=assessment.made_at,
        is_current=is_there and not _is_old(assessment),
        error=assessment.error,
    )


def is_live(campaign: Campaign, assessment: Assessment | None) -> bool:
    """Whether the campaign's ratings, narrowed or not, are so few that its figures are worked out
    at once."""
    if assessment and assessment.ratings > LIVE_RATINGS:
        return False
    ratings = counted_ratings(narrow(campaign, None))
    return ratings[: LIVE_RATINGS + 1].count() <= LIVE_RATINGS


def _narrowed(campaign: Campaign, key: str, names: Collection[str]) -> dict[str, str]:
    """The figures of a part that there are. That somebody looks at it is noted once an hour, and
    what is missing so that a worker makes it."""
    is_noted = ExpressionWrapper(
        Q(looked_at__gt=Now() - NOTED_AGAIN_AFTER), output_field=BooleanField()
    )
    rows = NarrowedFigures.objects.filter(
        assessment__campaign=campaign, narrowing=key, name__in=names
    ).annotate(is_noted=is_noted)
    found = {row.name: row for row in rows}
    if not all(name in found and found[name].is_noted for name in names):
        assessment, _created = Assessment.objects.get_or_create(campaign=campaign)
        NarrowedFigures.objects.bulk_create(
            (
                NarrowedFigures(assessment=assessment, narrowing=key, name=name, looked_at=Now())
                for name in sorted(set(names))  # in one order, as two requests lock them
            ),
            update_conflicts=True,
            unique_fields=["assessment", "narrowing", "name"],
            update_fields=["looked_at"],
        )
    return {name: row.content for name, row in found.items() if row.content}


def ask(*, campaign: Campaign) -> bool:
    """Note that somebody waits for newer figures; whether a worker has to be told so."""
    assessment, _created = Assessment.objects.get_or_create(campaign=campaign)
    not_asked = Q(asked_at=None) | Q(asked_at__lt=Now() - SENT_AGAIN_AFTER)
    asked = Assessment.objects.filter(not_asked & _not_begun(), pk=assessment.pk)
    return bool(asked.update(asked_at=Now()))


def ask_for_figures(campaign: Campaign) -> None:
    """Have a worker work out the figures of the dashboards, if none is told so already."""
    if ask(campaign=campaign):
        transaction.on_commit(partial(send_assessment, campaign.pk))


def send_assessment(campaign_id: int) -> None:
    send(ASSESS, campaign_id)


def due_campaigns() -> list[int]:
    """Ids of the campaigns whose figures are wanted or old, by now noted as asked for."""
    candidates = Campaign.objects.filter(
        Q(assessment=None)
        | Q(assessment__asked_at__isnull=False)
        | Q(state=CampaignState.OPEN, assessment__made_at__lt=Now() - AGAIN_AFTER)
        | Q(assessment__made_at=None)
        | Q(assessment__in=NarrowedFigures.objects.filter(content="").values("assessment")),
        deleted_at=None,
    ).select_related("assessment")
    newest = _newest_rating()
    due = []
    for campaign in candidates:
        if _is_wanted(campaign):
            due += [campaign.pk] if ask(campaign=campaign) else []
        else:  # nothing new up to here: the next search begins here
            Assessment.objects.filter(campaign=campaign).update(newest_rating=newest)
    return due


def assess(*, campaign: Campaign) -> bool:
    """Look if a look is due, and work out the figures of all dashboards if a worker has to.

    Nobody looks at an archived campaign, and a deleted one has no figures.

    False if another worker is at it, or has taken over because this one took too long. What fails
    is noted where the figures are shown, and is not tried again at once.
    """
    if campaign.deleted_at:
        return False
    assessment, _created = Assessment.objects.get_or_create(campaign=campaign)
    free = Assessment.objects.filter(_not_begun(), pk=assessment.pk)
    if not free.update(begun_at=Now(), attempt=F("attempt") + 1):
        return False
    assessment.refresh_from_db()
    try:
        return _work_out(assessment)
    except Exception as error:
        _mine(assessment).update(
            begun_at=None, asked_at=Now(), error=as_reason(str(error), MAX_ERROR)
        )
        raise


def _mine(assessment: Assessment) -> QuerySet[Assessment]:
    """The assessment while nobody has begun with it since."""
    return Assessment.objects.filter(pk=assessment.pk, attempt=assessment.attempt)


def _work_out(assessment: Assessment) -> bool:
    campaign = assessment.campaign
    newest = _newest_rating()
    ratings = counted_ratings(campaign).count()
    if not campaign.is_archived:
        look_if_due(campaign=campaign, ratings=ratings)
        if look := latest_look(campaign):  # the last worker may have died before it raised them
            raise_after_look(look=look)
    contents, parts = {}, list[NarrowedFigures]()
    if ratings > LIVE_RATINGS:
        counts = {"contents": contents_figures} if ratings > MANY_RATINGS else {}
        wanted = {**FIGURES, **counts}
        contents = {name: _content(assessment, campaign, wanted[name]) for name in wanted}
        parts = _parts(assessment)
    with transaction.atomic():
        is_mine = _mine(assessment).update(
            begun_at=None,
            asked_at=None,
            made_at=Now(),
            error="",
            newest_rating=newest,
            ratings=ratings,
        )
        if not is_mine:
            return False
        Figures.objects.bulk_create(
            (
                Figures(assessment=assessment, name=name, content=contents[name])
                for name in contents
            ),
            update_conflicts=True,
            unique_fields=["assessment", "name"],
            update_fields=["content"],
        )
        NarrowedFigures.objects.bulk_update(parts, ["content"])
    return True


def _content(
    assessment: Assessment, campaign: Campaign, work: Callable[[Campaign], JsonObject]
) -> str:
    """The figures as they are stored. They may be many and each take minutes: nobody else begins
    before this worker has been at a single one for too long."""
    _mine(assessment).update(begun_at=Now())
    return json.dumps(work(campaign), allow_nan=False)


def _parts(assessment: Assessment) -> list[NarrowedFigures]:
    """The figures of parts that are still looked at, worked out; the others are dropped first, so
    that none of an earlier moment is left when the rest is of this one."""
    kept = assessment.narrowed_figures
    kept.filter(Q(looked_at__lt=Now() - KEPT_FOR) | ~Q(name__in=FIGURES)).delete()
    latest = kept.values("narrowing").annotate(last=Max("looked_at")).order_by("-last", "narrowing")
    # those that somebody looks at now stay, as far as there are not too many
    idle = latest.filter(last__lt=Now() - NOTED_AGAIN_AFTER)
    kept.filter(narrowing__in=idle.values("narrowing")[KEPT_PARTS:]).delete()
    kept.filter(narrowing__in=latest.values("narrowing")[MOST_PARTS:]).delete()
    parts = list(kept.defer("content").order_by("narrowing", "name"))
    for part in parts:
        try:
            asked = narrowing_of(assessment.campaign, dict(parse_qsl(part.narrowing)))
        except NarrowingError:  # what it names is there no more
            part.delete()
        else:
            narrowed = narrow(assessment.campaign, asked)
            part.content = _content(assessment, narrowed, FIGURES[part.name])
    return [part for part in parts if part.pk]


def _newest_rating() -> int:
    newest: int | None = Rating.objects.aggregate(newest=Max("id"))["newest"]
    return newest or 0


def _is_wanted(campaign: Campaign) -> bool:
    assessment = getattr(campaign, "assessment", None)
    if assessment is None or assessment.asked_at or assessment.made_at is None:
        return True
    # figures of parts that were noted when a worker had begun
    missing = assessment.narrowed_figures.filter(content="")
    return _has_newer_ratings(assessment) or missing.exists()


def _is_old(assessment: Assessment) -> bool:
    """Whether there are newer ratings, or time for what else may have changed."""
    old = Assessment.objects.filter(pk=assessment.pk, made_at__lt=Now() - AGAIN_AFTER)
    return old.exists() or _has_newer_ratings(assessment)


def _has_newer_ratings(assessment: Assessment) -> bool:
    newer = Rating.objects.filter(
        pk__gt=assessment.newest_rating, item__campaign=assessment.campaign_id
    )
    return newer.exists()


def _not_begun() -> Q:
    return Q(begun_at=None) | Q(begun_at__lt=Now() - TAKEN_FOR)
