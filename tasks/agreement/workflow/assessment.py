"""The figures of the dashboards: worked out at once where that is quick, else by a worker.

A campaign with few ratings has its figures worked out whenever somebody looks, so they are never
old. With more than LIVE_RATINGS a worker works them out, when somebody looks and at least every
few minutes while ratings come in; what is shown says of when it is. The figures follow from the
ratings, so whatever is lost is worked out again: no attempt has to be remembered.
"""

import json
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Now

from tasks.agreement.figures.figures import FIGURES
from tasks.agreement.workflow.alerts import raise_after_look
from tasks.agreement.workflow.looks import latest_look, look_if_due
from tasks.models import Assessment, Campaign, CampaignState, Figures, Rating
from tasks.storing.messages import send
from tasks.storing.reasons import as_reason
from tasks.votes.one_reading import one_reading
from tasks.votes.ratings import counted_ratings

ASSESS = "tasks.assess"
LIVE_RATINGS = 5000
MAX_ERROR = 2000  # characters
AGAIN_AFTER = timedelta(minutes=5)  # while ratings come in and nobody looks
SENT_AGAIN_AFTER = timedelta(minutes=1)  # a message that nobody took up
TAKEN_FOR = timedelta(minutes=15)  # a worker that has died has let go by then

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Shown:
    """Figures as they are shown: `content` is None while they are worked out for the first time.

    `made_at` is None for figures of this moment. `is_current` is false if newer ones are wanted.
    `error` is why the last attempt gave none.
    """

    content: dict[str, Any] | None
    made_at: datetime | None = None
    is_current: bool = True
    error: str = ""


def figures_of(campaign: Campaign, name: str) -> Shown:
    """The figures of a dashboard, of this moment or as they were last worked out."""
    assessment = Assessment.objects.filter(campaign=campaign).first()
    if is_live(campaign, assessment):
        return Shown(FIGURES[name](campaign))
    if assessment is None or assessment.made_at is None:
        return Shown(None, is_current=False, error=assessment.error if assessment else "")
    content = assessment.figures.filter(name=name).values_list("content", flat=True).first()
    return Shown(
        content=None if content is None else json.loads(content),
        made_at=assessment.made_at,
        is_current=content is not None and not _is_old(assessment),
        error=assessment.error,
    )


def is_live(campaign: Campaign, assessment: Assessment | None) -> bool:
    """Whether the campaign's ratings are so few that its figures are worked out at once."""
    if assessment and assessment.ratings > LIVE_RATINGS:
        return False
    return counted_ratings(campaign)[: LIVE_RATINGS + 1].count() <= LIVE_RATINGS


def ask(*, campaign: Campaign) -> bool:
    """Note that somebody waits for newer figures; whether a worker has to be told so."""
    assessment, _created = Assessment.objects.get_or_create(campaign=campaign)
    asked = Assessment.objects.filter(_not_asked() & _not_begun(), pk=assessment.pk)
    return bool(asked.update(asked_at=Now()))


def ask_for_figures(campaign: Campaign) -> None:
    """Have a worker work out the figures of the dashboards, if none is told so already."""
    if ask(campaign=campaign):
        transaction.on_commit(partial(send_assessment, campaign.pk))


def send_assessment(campaign_id: int) -> None:
    """Wake a worker for the figures of a campaign."""
    send(ASSESS, campaign_id)


def due_campaigns() -> list[int]:
    """Ids of the campaigns whose figures are wanted or old, by now noted as asked for."""
    candidates = Campaign.objects.filter(
        Q(assessment=None)
        | Q(assessment__asked_at__isnull=False)
        | Q(state=CampaignState.OPEN, assessment__made_at__lt=Now() - AGAIN_AFTER)
        | Q(assessment__made_at=None)
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

    False if another worker is at it, or has taken over because this one took too long. What fails
    is noted where the figures are shown, and is not tried again at once.
    """
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
    with one_reading():
        look_if_due(campaign=campaign, ratings=ratings)
        if look := latest_look(campaign):  # the last worker may have died before it raised them
            raise_after_look(look=look)
        contents = {} if ratings <= LIVE_RATINGS else _contents(campaign)
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
    return True


def _contents(campaign: Campaign) -> dict[str, str]:
    return {
        name: json.dumps(figures(campaign), allow_nan=False) for name, figures in FIGURES.items()
    }


def _newest_rating() -> int:
    newest: int | None = Rating.objects.aggregate(newest=Max("id"))["newest"]
    return newest or 0


def _is_wanted(campaign: Campaign) -> bool:
    assessment = getattr(campaign, "assessment", None)
    if assessment is None or assessment.asked_at or assessment.made_at is None:
        return True
    return _has_newer_ratings(assessment)


def _is_old(assessment: Assessment) -> bool:
    """Whether there are newer ratings, or time for what else may have changed."""
    old = Assessment.objects.filter(pk=assessment.pk, made_at__lt=Now() - AGAIN_AFTER)
    return old.exists() or _has_newer_ratings(assessment)


def _has_newer_ratings(assessment: Assessment) -> bool:
    newer = Rating.objects.filter(
        pk__gt=assessment.newest_rating, item__campaign=assessment.campaign_id
    )
    return newer.exists()


def _not_asked() -> Q:
    return Q(asked_at=None) | Q(asked_at__lt=Now() - SENT_AGAIN_AFTER)


def _not_begun() -> Q:
    return Q(begun_at=None) | Q(begun_at__lt=Now() - TAKEN_FOR)
