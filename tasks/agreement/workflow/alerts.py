"""Looks at a campaign, at which statistical tests are made, and the alerts that they raise.

All looks share one level. The ratings have grown by half between two looks, and look k may raise a
false alarm with a chance of level / (k (k + 1)): all looks together with at most `level` (alpha
spending, see `tomahto.raters.drift.level_of_look`). A campaign of 100,000 ratings has been looked
at 18 times.
"""

import json
import secrets
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.db.models.functions import Now

from tasks.agreement.figures.suggestion_figures import Chance
from tasks.agreement.findings import FINDINGS, Alarm, Rule, alarms, rules_of
from tasks.events.workflow.events import NewEvent, note_events
from tasks.models import (
    Alert,
    AlertChannels,
    AlertKind,
    AlertRule,
    AuditAction,
    Campaign,
    CampaignState,
    Channel,
    Delivery,
    EventKind,
    Look,
    Membership,
    Rating,
    Slot,
)
from tasks.storing.acts import changes, record
from tasks.storing.messages import send
from tomahto.raters.drift import level_of_look

FIRST_AT = 100  # counted ratings
GROWS_BY = 1.5
LEVEL = 0.05  # over all looks at a campaign, for each test


def next_look_at(last: Look | None) -> int:
    """The number of counted ratings from which on the next look is due."""
    return FIRST_AT if last is None else round(last.ratings * GROWS_BY)


def latest_look(campaign: Campaign) -> Look | None:
    return Look.objects.filter(campaign=campaign).first()


def look_if_due(*, campaign: Campaign, ratings: int) -> Look | None:
    """Make the next look if there are `ratings` enough for it; None if there are not.

    Whoever is late by a moment finds the look made, and makes none.
    """
    last = latest_look(campaign)
    if ratings < next_look_at(last):
        return None
    number = last.number + 1 if last else 1
    chance = Chance(level_of_look(number, level=LEVEL), campaign.seed)
    found = {name: test(campaign, chance) for name, test in FINDINGS.items()}
    try:
        with transaction.atomic():
            return Look.objects.create(
                campaign=campaign,
                number=number,
                ratings=ratings,
                level=chance.level,
                findings=json.dumps(found),
            )
    except IntegrityError:
        return None


TELL_ALERTS = "tasks.tell_alerts"


def send_alerts_soon() -> None:
    """Wake a worker for the alerts just raised; without one the next round finds them."""
    send(TELL_ALERTS, expires=60)


def raise_after_look(*, look: Look) -> list[Alert]:
    """The alerts that the findings of a look ask for, without those that are open already."""
    findings = look.as_json()["findings"]
    found = (
        _raise(look.campaign, rule.kind, alarm, occasion=f"look {look.number}", look=look)
        for rule in rules_of(look.campaign)
        if rule.is_active
        for alarm in alarms(rule, findings)
    )
    return [alert for alert in found if alert]


def raise_stalled() -> list[Alert]:
    """An alert for every open campaign that wants ratings and has had none for too long.

    A campaign without any rating has not begun, so it has not stalled.
    """
    raised = []
    newest = Rating.objects.order_by().values("item__campaign").annotate(rating=Max("id"))
    for campaign, rating in _still_open(dict(newest.values_list("item__campaign", "rating"))):
        rule = next(each for each in rules_of(campaign) if each.kind == AlertKind.STALLED)
        if rule.is_active and (since := _stalled_since(rule, rating)):
            alarm = Alarm("", {"since": since.isoformat(), "hours": rule.hours})
            raised.append(_raise(campaign, rule.kind, alarm, occasion=f"rating {rating}"))
    return [alert for alert in raised if alert]


def raise_trial(*, campaign: Campaign, by: Membership) -> Alert:
    """An alert that says nothing, to try the channels. It is acknowledged from the beginning."""
    with transaction.atomic():
        tried = Alert.objects.filter(campaign=campaign, kind=AlertKind.TRIAL).count()
        alert = Alert.objects.create(
            campaign=campaign,
            kind=AlertKind.TRIAL,
            subject=by.name,
            occasion=f"trial {tried + 1}",
            acknowledged_at=Now(),
            acknowledged_by=by,
        )
        _hand_over(alert)
        record(AuditAction.ALERT_TRIED, campaign=campaign, subject=("alert", alert.occasion), by=by)
    return alert


@transaction.atomic
def acknowledge(*, alert: Alert, by: Membership, note: str = "") -> bool:
    """Say that somebody has seen to it; false if somebody has done so before."""
    changed = Alert.objects.filter(pk=alert.pk, acknowledged_at=None).update(
        acknowledged_at=Now(), acknowledged_by=by, note=note
    )
    if changed:
        record(
            AuditAction.ALERT_ACKNOWLEDGED,
            campaign=alert.campaign,
            subject=("alert", f"{alert.kind} {alert.occasion}"),
            details={"note": note},
            by=by,
        )
    return bool(changed)


@transaction.atomic
def set_rules(*, campaign: Campaign, rules: list[Rule]) -> None:
    before = {str(rule.kind): _in_words(rule) for rule in rules_of(campaign)}
    AlertRule.objects.bulk_create(
        (
            AlertRule(
                campaign=campaign,
                kind=rule.kind,
                is_active=rule.is_active,
                threshold=rule.threshold,
                hours=rule.hours,
            )
            for rule in rules
        ),
        update_conflicts=True,
        unique_fields=["campaign", "kind"],
        update_fields=["is_active", "threshold", "hours"],
    )
    after = {str(rule.kind): _in_words(rule) for rule in rules}
    record(AuditAction.ALERT_RULES_SET, campaign=campaign, details=changes(before, after))


@transaction.atomic
def set_goal(*, campaign: Campaign, goal: float) -> None:
    """Make this the alpha below which agreement is too low; every other rule stays as it is."""
    rules = [
        replace(rule, threshold=goal) if rule.kind == AlertKind.ALPHA else rule
        for rule in rules_of(campaign)
    ]
    set_rules(campaign=campaign, rules=rules)


@transaction.atomic
def set_channels(*, campaign: Campaign, sends_mail: bool, webhook_url: str) -> str:
    """Set the destination of alerts from now on. A new webhook gets a new secret, which is
    returned; else ""."""
    channels, _created = AlertChannels.objects.get_or_create(campaign=campaign)
    before = _in_short(channels)
    secret = ""
    if webhook_url and webhook_url != channels.webhook_url:
        secret = secrets.token_urlsafe(32)
        channels.webhook_secret = secret
    channels.sends_mail, channels.webhook_url = sends_mail, webhook_url
    channels.save()
    details = changes(before, _in_short(channels)) | {"new_secret": bool(secret)}
    record(AuditAction.CHANNELS_SET, campaign=campaign, details=details)
    return secret


def _in_words(rule: Rule) -> str:
    limits = (rule.threshold, rule.hours)
    said = [str(limit) for limit in limits if limit is not None]
    return " ".join(["on" if rule.is_active else "off", *said])


def _in_short(channels: AlertChannels) -> dict[str, object]:
    """Of the webhook only where it is: the rest of such an address may be a secret."""
    host = urlsplit(channels.webhook_url).hostname or ""
    return {"sends_mail": channels.sends_mail, "webhook": host}


def _raise(
    campaign: Campaign, kind: AlertKind, alarm: Alarm, *, occasion: str, look: Look | None = None
) -> Alert | None:
    """None if it is open already, or has been raised for the same occasion before."""
    try:
        with transaction.atomic():
            alert = Alert.objects.create(
                campaign=campaign,
                kind=kind,
                subject=alarm.subject,
                occasion=occasion,
                look=look,
                evidence=dict(alarm.evidence),
            )
            _hand_over(alert)
    except IntegrityError:
        return None
    return alert


def _hand_over(alert: Alert) -> None:
    """Note that the alert is to be told through the campaign's channels."""
    Delivery.objects.bulk_create(
        Delivery(alert=alert, channel=channel) for channel in _channels(alert.campaign)
    )
    # a trial of the alerts' own channels holds a name, and tells nothing
    if alert.kind != AlertKind.TRIAL:
        data = {
            "alert": alert.pk,
            "kind": alert.kind,
            "subject": alert.subject,
            "evidence": alert.evidence,
        }
        note_events(alert.campaign_id, NewEvent(EventKind.ALERT_RAISED, data))


def _channels(campaign: Campaign) -> Iterator[Channel]:
    channels = AlertChannels.objects.filter(campaign=campaign).first() or AlertChannels()
    if channels.sends_mail and settings.SENDS_MAIL:
        yield Channel.MAIL
    if channels.webhook_url:
        yield Channel.WEBHOOK


def _still_open(newest: dict[int, int]) -> Iterator[tuple[Campaign, int]]:
    """Open campaigns with slots to fill, each with its newest rating."""
    wanting = Slot.objects.filter(is_filled=False, order_key__isnull=False).values("campaign")
    campaigns = Campaign.objects.filter(pk__in=newest, state=CampaignState.OPEN).filter(
        pk__in=wanting
    )
    for campaign in campaigns:
        yield campaign, newest[campaign.pk]


def _stalled_since(rule: Rule, rating: int) -> datetime | None:
    """When the newest rating came, if that is longer ago than the rule allows."""
    if rule.hours is None:
        return None
    limit = Now() - timedelta(hours=rule.hours)
    found = Rating.objects.filter(pk=rating, created_at__lt=limit).first()
    return found.created_at if found else None
