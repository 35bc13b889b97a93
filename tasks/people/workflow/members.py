"""Members: admission, role and quota, pausing, leaving, passwords, and consent."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models import F, Max
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from tasks.access.queries import is_crowd_account
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import (
    AuditAction,
    AuditEntry,
    Campaign,
    Consent,
    ConsentText,
    CrowdVisit,
    ItemPurpose,
    Membership,
    Role,
    Slot,
    User,
)
from tasks.storing.acts import changes, record
from tasks.storing.refusals import Refusal, again_if_in_the_way
from tasks.votes.workflow import NothingToSetAside, set_aside_once, show_all_votes

_CHANGED = ("role", "quota", "is_active", "is_paused", "has_been_more")
_CHANGES = {"role": AuditAction.ROLE_CHANGED, "quota": AuditAction.QUOTA_CHANGED}


class MemberRefused(Exception):
    """The request cannot be fulfilled for this member; `reason` is for programs."""

    reason = "this cannot be done with this member"


class LastAdmin(MemberRefused):
    reason = "a campaign keeps at least one active admin"


class IsMember(MemberRefused):
    """An active member is not admitted again: that would change their role unseen."""

    reason = "this account is already a member"


class NotAnOperator(MemberRefused):
    """Only the site's operators are let in unasked, and add others unasked."""

    reason = "only the site's operators may do this"


class VisitorStaysRater(MemberRefused):
    reason = "visitors of a crowd service can only be raters, in one campaign"


class NoAccount(MemberRefused):
    reason = "this member comes from imported ratings and has no account"


class NoStandingToReset(MemberRefused):
    """A new password would open more than the one who gives it administers."""


class OwnPassword(NoStandingToReset):
    """One's own is changed by whoever knows the old one, and not by an open browser."""


def admit(*, campaign: Campaign, user: User, role: str) -> Membership:
    """Also lets a deactivated member in again. Raises IsMember and VisitorStaysRater."""
    if is_crowd_account(user):
        raise VisitorStaysRater
    if Membership.objects.filter(campaign=campaign, user=user, is_active=True).exists():
        raise IsMember
    return add_member(campaign=campaign, user=user, role=role)


@transaction.atomic
def enter_as_operator(*, campaign: Campaign, user: User) -> Membership:
    """Make an operator an admin of a campaign that nobody has asked them into; it is recorded.

    A member stays what they are: what a rater must not see, they do not see by this either.
    Raises NotAnOperator.
    """
    if not user.is_operator:
        raise NotAnOperator
    there = Membership.objects.filter(campaign=campaign, user=user, is_active=True).first()
    if there is not None:
        return there
    member = add_member(campaign=campaign, user=user, role=Role.ADMIN)
    _record(AuditAction.OPERATOR_ENTERED, member)
    return member


@transaction.atomic
def change_member(*, member: Membership, role: str, quota: int | None) -> None:
    """Give a member a role and a quota; None leaves the quota to the campaign.

    Members who become raters could see votes before: they get no item that has any by now.

    Raises LastAdmin and VisitorStaysRater.
    """
    if role != Role.ADMIN:
        _keep_an_admin(member)
    if role != Role.RATER and CrowdVisit.objects.filter(membership=member).exists():
        raise VisitorStaysRater
    before: Mapping[str, object] = {
        **Membership.objects.filter(pk=member.pk).values("role", "quota").get()
    }
    if role == Role.RATER and member.role != Role.RATER:
        show_all_votes(member=member)
        member.has_been_more = True
    member.role, member.quota = role, quota
    member.save(update_fields=["role", "quota", "has_been_more"])
    for name, action in _CHANGES.items():
        details = changes({name: before[name]}, {name: getattr(member, name)})
        if details["changes"]:
            _record(action, member, details)


@transaction.atomic
def deactivate(*, member: Membership) -> None:
    """Shut a member out. Ratings stay, and what they held is free for others at once.

    A slot of an item that checks raters was made for its holder alone and stays with them.

    Raises LastAdmin.
    """
    _keep_an_admin(member)
    member.is_active = False
    member.save(update_fields=["is_active"])
    held = Slot.objects.filter(holder__rater=member, item__purpose=ItemPurpose.LIVE)
    held.filter(is_filled=False).update(holder=None, expires_at=None)
    _record(AuditAction.MEMBER_DEACTIVATED, member)


@transaction.atomic
def reactivate(*, member: Membership) -> None:
    member.is_active = True
    member.save(update_fields=["is_active"])
    _record(AuditAction.MEMBER_REACTIVATED, member)


@transaction.atomic
def set_paused(*, member: Membership, is_paused: bool) -> None:
    """Give a member no more items, or items again. What they hold they may finish."""
    member.is_paused = is_paused
    member.save(update_fields=["is_paused"])
    _record(AuditAction.MEMBER_PAUSED if is_paused else AuditAction.MEMBER_RESUMED, member)


def update_member(*, member: Membership, wanted: Mapping[str, Any], by: Membership) -> None:
    """Do everything at once that `wanted` names: role, quota, active, paused, and with `active`
    false `set_aside`, the reason to set all their ratings aside, if there are any.

    Raises MemberRefused and InTheWay, and then nothing is changed.
    """
    again_if_in_the_way(lambda: _update_member(member, wanted, by))


@transaction.atomic
def _update_member(member: Membership, wanted: Mapping[str, Any], by: Membership) -> None:
    member.refresh_from_db(fields=_CHANGED)  # as it is, also where this is done again
    if member.user_id is None:
        raise NoAccount
    if {"role", "quota"} & wanted.keys():
        role, quota = wanted.get("role", member.role), wanted.get("quota", member.quota)
        change_member(member=member, role=role, quota=quota)
    if "paused" in wanted:
        set_paused(member=member, is_paused=wanted["paused"])
    if "active" in wanted and wanted["active"] != member.is_active:
        (reactivate if wanted["active"] else deactivate)(member=member)
    if wanted.get("set_aside"):
        with suppress(NothingToSetAside):
            set_aside_once(rater=member, by=by, reason=wanted["set_aside"])


@transaction.atomic
def password_reset(*, member: Membership, by: Membership) -> tuple[str, str]:
    """User id and token for a link by which the member sets a new password, once, within a day.

    Whoever has the link has the account, so it is made only by an admin of every campaign that
    the account has ever been in, and never for operators or for who is or has been an admin: a
    browser that is found open could make an accomplice an admin, who takes the account.

    Raises NoStandingToReset.
    """
    user = member.user
    if user is not None and user == by.user:
        raise OwnPassword
    if user is None or not _may_reset(user, member, by):
        raise NoStandingToReset
    record(
        AuditAction.PASSWORD_LINK_MADE,
        campaign=member.campaign,
        subject=("member", member.name),
        by=by,
    )
    return urlsafe_base64_encode(force_bytes(user.pk)), default_token_generator.make_token(user)


def _record(
    action: AuditAction, member: Membership, details: Mapping[str, object] | None = None
) -> None:
    record(action, campaign=member.campaign, subject=("member", member.name), details=details)


def _may_reset(user: User, member: Membership, by: Membership) -> bool:
    if user.is_staff or user.is_superuser or not user.is_active or not user.has_usable_password():
        return False
    if not member.is_active or member.campaign_id != by.campaign_id or by.role != Role.ADMIN:
        return False
    memberships = Membership.objects.filter(user=user)
    administered = Membership.objects.filter(user=by.user, role=Role.ADMIN, is_active=True)
    if memberships.exclude(campaign__in=administered.values("campaign")).exists():
        return False
    return not any(_has_been_admin(each) for each in memberships)


def _has_been_admin(member: Membership) -> bool:
    """Or is one: who lowers an admin's role first gets no further by that."""
    entries = AuditEntry.objects.filter(
        campaign=member.campaign_id, subject_kind="member", subject=member.name
    )
    return member.is_admin or entries.filter(details__contains=f'"{Role.ADMIN}"').exists()


def _keep_an_admin(member: Membership) -> None:
    """Raises LastAdmin if the campaign has no other active admin."""
    # locked, so that two of them cannot dismiss each other at the same time
    admins = (
        Membership.objects.select_for_update(of=("self",), no_key=True)
        .filter(campaign=member.campaign_id, role=Role.ADMIN, is_active=True)
        .filter(user__is_active=True)
        .order_by("pk")
    )
    if [admin.pk for admin in admins] == [member.pk]:
        raise LastAdmin


class ConsentTextChanged(Refusal):
    """The version agreed to is not the one in force."""


@transaction.atomic
def publish_consent_text(*, campaign: Campaign, text: str) -> ConsentText | None:
    """Equal text changes nothing; empty text withdraws it, so that nobody is asked any more."""
    text = text.replace("\r\n", "\n").strip()
    published = _next_version(campaign, f"{text}\n") if text else None
    if published != campaign.consent_text:
        campaign.consent_text = published
        campaign.save(update_fields=["consent_text"])
        version = f"version {published.version}" if published else ""
        record(
            AuditAction.CONSENT_PUBLISHED if published else AuditAction.CONSENT_WITHDRAWN,
            campaign=campaign,
            subject=("consent text", version),
        )
    return published


@transaction.atomic
def give_consent(*, membership: Membership, version: int) -> Consent:
    """Again changes nothing. Raises ConsentTextChanged if the version is not the one in force."""
    text = ConsentText.objects.filter(
        campaign=membership.campaign_id, campaign__consent_text=F("pk"), version=version
    ).first()
    if text is None:
        raise ConsentTextChanged(f"version {version} of the consent text is not in force")
    consent, _created = Consent.objects.get_or_create(membership=membership, text=text)
    membership.consented_to = text
    membership.save(update_fields=["consented_to"])
    return consent


def _next_version(campaign: Campaign, text: str) -> ConsentText:
    if campaign.consent_text is not None and campaign.consent_text.text == text:
        return campaign.consent_text
    last = ConsentText.objects.filter(campaign=campaign).aggregate(last=Max("version"))["last"]
    return ConsentText.objects.create(campaign=campaign, version=(last or 0) + 1, text=text)
