"""Tokens for programs: making and revoking them. A key is shown once and not stored."""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models.functions import Now

from tasks.access.queries.crowd import is_crowd_account
from tasks.models import ApiToken, AuditAction, Campaign, Membership, Scope, User
from tasks.storing.acts import record

MAX_DAYS = 3660


class TokenRefused(Exception):
    """A token that cannot be; `field` is what is wrong with it."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(text)
        self.field = field


class MoreThanItself(TokenRefused):
    """A token makes none that can do more than it can."""


def make_token(
    *,
    user: User,
    name: str = "",
    scopes: Sequence[str] = tuple(Scope.values),
    campaign: Campaign | None = None,
    days: int | None = None,
    made_by: ApiToken | None = None,
) -> tuple[ApiToken, str]:
    """A new token of the user and its key, known this once.

    It ends after so many days by the database's clock; without a number, when it is revoked.
    `made_by` is the token that asks, if it is not the person. Raises TokenRefused.
    """
    chosen = [scope for scope in Scope.values if scope in scopes]
    if not chosen or len(chosen) != len(set(scopes)):
        raise TokenRefused("scopes", f"choose one or more of the scopes {', '.join(Scope.values)}")
    if days is not None and not 0 < days <= MAX_DAYS:
        raise TokenRefused("days", f"a token must be valid for 1 to {MAX_DAYS} days")
    _require_membership(user, campaign)
    if made_by is not None:
        _require_no_more(made_by, chosen, campaign)
    key = secrets.token_hex(20)
    with transaction.atomic():
        token = ApiToken.objects.create(
            user=user, name=name, digest=ApiToken.digest_of(key), scopes=chosen, campaign=campaign
        )
        if days is not None:
            ApiToken.objects.filter(pk=token.pk).update(expires_at=Now() + timedelta(days=days))
        token.refresh_from_db()
        if made_by is not None:
            _require_no_later_end(token, made_by)
        _record(AuditAction.TOKEN_MADE, token)
    return token, key


@transaction.atomic
def revoke_token(*, token: ApiToken) -> None:
    """End a token at once. What was done with it stays."""
    _record(AuditAction.TOKEN_REVOKED, token)
    token.delete()


def _record(action: AuditAction, token: ApiToken) -> None:
    details = {"name": token.name, "scopes": token.scopes, "ends": token.expires_at}
    subject = ("account", token.user.username)
    record(action, campaign=token.campaign, subject=subject, details=details)


def _require_membership(user: User, campaign: Campaign | None) -> None:
    if is_crowd_account(user):
        raise TokenRefused("user", "visitors from a crowd service cannot have tokens")
    if campaign is None:
        return
    if not Membership.objects.filter(campaign=campaign, user=user, is_active=True).exists():
        raise TokenRefused("campaign", "no such campaign, or this account is not a member of it")


def _require_no_more(by: ApiToken, scopes: Sequence[str], campaign: Campaign | None) -> None:
    if missing := [scope for scope in scopes if scope not in by.scopes]:
        raise MoreThanItself(
            "scopes", f"the token of this call lacks the scope {' and '.join(missing)}"
        )
    if by.campaign_id is not None and (campaign is None or campaign.pk != by.campaign_id):
        raise MoreThanItself("campaign", "the token of this call is limited to one campaign")


def _require_no_later_end(token: ApiToken, by: ApiToken) -> None:
    end = by.expires_at
    if end is not None and (token.expires_at is None or token.expires_at > end):
        raise MoreThanItself("days", f"the token of this call expires at {end:%Y-%m-%d %H:%M} UTC")
