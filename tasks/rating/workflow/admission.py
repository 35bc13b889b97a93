"""Before an item is handed out: members who consented to the text in force and passed the
calibration, and control items, which have a known answer and are handed out among the live ones,
unannounced."""

import hashlib
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Literal

from django.db import transaction
from django.db.models import DateTimeField as DateTime
from django.db.models import Exists, ExpressionWrapper, OuterRef, QuerySet
from django.db.models.functions import Now

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Item,
    ItemPurpose,
    Membership,
    Slot,
    Suggestion,
    SuggestionPolicy,
)
from tasks.storing.refusals import Refusal

Missing = Literal["consent", "calibration"]
_SENTENCES: dict[Missing, str] = {
    "consent": "consent to the current text is required before an item can be claimed",
    "calibration": "the calibration must be passed before an item can be claimed",
}


class NotAdmitted(Refusal):
    """The member gets no items yet; `missing` says what they have to do first."""

    def __init__(self, missing: Missing, slug: str) -> None:
        self.missing, self.slug = missing, slug
        super().__init__(_SENTENCES[missing])

    status = 403

    def body(self, address_of: Callable[..., str]) -> Mapping[str, str]:
        """Also what is missing, and the page where it is done."""
        page = address_of(self.missing, self.slug)
        return {"detail": str(self), "missing": self.missing, "url": page}


def what_is_missing(membership: Membership) -> Missing | None:
    """The member's next step before live work, whatever their role; None if there is none.

    It reads nothing from the database: a membership is loaded with all it takes, and every claim
    asks.
    """
    campaign = membership.campaign
    text = campaign.consent_text_id
    if text is not None and membership.consented_to_id != text:
        return "consent"
    if campaign.requires_calibration and membership.passed_calibration_id is None:
        return "calibration"
    return None


def require_admission(membership: Membership) -> None:
    if missing := what_is_missing(membership):
        raise NotAdmitted(missing, membership.campaign.slug)


@transaction.atomic
def claim_control(*, membership: Membership) -> Assignment | None:
    """The rater's next control item, held for them; None while none is due or none is left.

    One is due about every `control_every` live ratings. The gap is drawn anew each time from half
    of that to one and a half times it, so that nobody can count along; it is drawn by hash, so that
    a repeated call comes to the same end. Every rater may get every control item once, in an order
    of their own, unless they have had a live item of the same texts; its slot is made for them
    alone. Where raters see suggestions, only control items that have one are handed out.

    Raises IntegrityError if the same call is running twice at once.
    """
    if not _is_due(membership):
        return None
    item = _next_control(membership)
    if item is None:
        return None
    # numbers of a control item's slots are its raters: nobody can take another's
    slot = Slot.objects.create(campaign=membership.campaign, item=item, number=membership.pk)
    assignment = Assignment.objects.create(item=item, rater=membership, slot=slot)
    lease = timedelta(minutes=membership.campaign.lease_minutes)
    Slot.objects.filter(pk=slot.pk).update(
        holder=assignment, expires_at=ExpressionWrapper(Now() + lease, output_field=DateTime())
    )
    return assignment


def is_control_next(membership: Membership) -> bool:
    return _is_due(membership) and _next_control(membership) is not None


def controls_of(campaign: Campaign) -> QuerySet[Item]:
    return Item.objects.filter(
        campaign=campaign, purpose=ItemPurpose.CONTROL, expected__isnull=False
    ).exclude(handling__is_dismissed=True)


def _is_due(membership: Membership) -> bool:
    every = membership.campaign.control_every
    if not every:
        return False
    work = Assignment.objects.filter(rater=membership)
    controls = work.filter(item__purpose=ItemPurpose.CONTROL)
    last = controls.order_by("-pk").values_list("pk", flat=True).first()
    since = work.filter(
        pk__gt=last or 0, item__purpose=ItemPurpose.LIVE, state=AssignmentState.SUBMITTED
    )
    gap = every - every // 2 + _drawn(membership, str(last)) % (2 * (every // 2) + 1)
    return since.count() >= gap


def _next_control(membership: Membership) -> Item | None:
    left = controls_of(membership.campaign).exclude(assignments__rater=membership)
    same = Assignment.objects.filter(
        rater=membership, item__question=OuterRef("question"), item__candidate=OuterRef("candidate")
    )
    left = left.exclude(Exists(same))
    if _are_suggestions_shown(membership.campaign):
        # one without would be told by that
        matcher = membership.campaign.suggestion_matcher
        left = left.filter(Exists(Suggestion.objects.filter(item=OuterRef("pk"), matcher=matcher)))
    return min(left, key=lambda item: _drawn(membership, item.key), default=None)


def _are_suggestions_shown(campaign: Campaign) -> bool:
    if campaign.suggestions == SuggestionPolicy.HIDDEN:
        return False
    return Suggestion.objects.filter(
        item__campaign=campaign, item__purpose=ItemPurpose.LIVE, matcher=campaign.suggestion_matcher
    ).exists()


def _drawn(membership: Membership, text: str) -> int:
    seed = f"control {membership.campaign.seed} {membership.pk} {text}"
    return int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8])
