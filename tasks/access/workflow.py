"""Guesses of passwords and codes, the second factor, accounts, and tokens.

A guess is taken before the password is looked at, in one statement of the database, and given back
if the password was right. So wrong ones cannot slip through while others are being judged, and
right ones cost nothing, however many are made at once.
"""

import logging
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from functools import cache
from math import ceil

import django_otp
from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.access.queries import app_of, is_crowd_account, recovery_of, unconfirmed_app_of
from tasks.models import (
    ApiToken,
    AuditAction,
    Campaign,
    LoginAttempts,
    Membership,
    MessageMails,
    Scope,
    User,
)
from tasks.storing.acts import record
from tasks.storing.database import execute
from tasks.storing.refusals import Refusal

logger = logging.getLogger(__name__)

PAUSE = timedelta(minutes=15)
_CLEANED = 100

_TAKE = """
INSERT INTO tasks_loginattempts AS t (subject, tried, counted_from)
VALUES (%(subject)s, 1, {now})
ON CONFLICT (subject) DO UPDATE SET
    tried = CASE WHEN t.counted_from <= {then} THEN 1 ELSE t.tried + 1 END,
    counted_from = CASE WHEN t.counted_from <= {then} OR %(renews)s THEN {now}
        ELSE t.counted_from END
WHERE t.counted_from <= {then} OR t.tried < %(most)s
RETURNING tried
"""


class TriedTooOften(Refusal):
    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many attempts; try again in {seconds} seconds")
        self.seconds = seconds

    status = 429

    def headers(self) -> Mapping[str, str]:
        return {"Retry-After": str(self.seconds)}


@dataclass(frozen=True, slots=True)
class Tries:
    """Tries that are counted together: `most` of them, then a pause.

    The pause is counted from the last try if it `renews`, so that no quarter of an hour holds more
    than `most`; else from the first, which suits what many people share.
    """

    kind: str
    name: str
    most: int
    renews: bool = True

    @property
    def subject(self) -> str:
        return f"{self.kind}:{salted_hmac(f'login {self.kind}', self.name).hexdigest()}"


def take(*, tries: Sequence[Tries]) -> None:
    """Take one of each, or none. Raises TriedTooOften."""
    for number, each in enumerate(tries):
        if not _take(each):
            give_back(tries=tries[:number])
            raise TriedTooOften(_seconds_left(each))


def give_back(*, tries: Sequence[Tries]) -> None:
    """The try was none: the password was right, or was not looked at."""
    for each in tries:
        mine = LoginAttempts.objects.filter(subject=each.subject, tried__gt=0)
        mine.update(tried=F("tried") - 1)


def forget(*, tries: Tries) -> None:
    LoginAttempts.objects.filter(subject=tries.subject).delete()


def _take(tries: Tries) -> bool:
    parameters = {"subject": tries.subject, "most": tries.most, "renews": tries.renews}
    rows = execute(_statement(connection.vendor), parameters)
    if not rows:
        return False
    if rows[0][0] == 1:
        _clean_up()
    if rows[0][0] == tries.most:
        logger.warning("%d passwords were tried for one %s", tries.most, tries.kind)
    return True


@cache
def _statement(vendor: str) -> str:
    """By the database's clock. SQLite keeps times as texts, which are in the order of time."""
    seconds = int(PAUSE.total_seconds())
    if vendor == "postgresql":
        now, then = "clock_timestamp()", f"clock_timestamp() - interval '{seconds} seconds'"
    else:
        form = "'%%Y-%%m-%%d %%H:%%M:%%f', 'now'"
        now, then = f"strftime({form})", f"strftime({form}, '-{seconds} seconds')"
    return _TAKE.format(now=now, then=then)


def _seconds_left(tries: Tries) -> int:
    counted = LoginAttempts.objects.filter(subject=tries.subject)
    for begun, now in counted.values_list("counted_from", Now()):
        left: timedelta = begun + PAUSE - now
        return max(1, ceil(left.total_seconds()))
    return 1


@transaction.atomic
def _clean_up() -> None:
    """Forget what counts no longer; somebody may be making up names."""
    over = LoginAttempts.objects.filter(counted_from__lte=Now() - PAUSE)
    locked = over.select_for_update(skip_locked=True).values_list("pk", flat=True)
    LoginAttempts.objects.filter(pk__in=list(locked[:_CLEANED])).delete()


RECOVERY_CODES = 8
_APP_CODE = re.compile(r"[0-9]{6}")


class CodeCheck(Enum):
    RIGHT = auto()
    WRONG = auto()
    TOO_SOON = auto()  # after wrong ones each next try has to wait longer, right or not


@transaction.atomic
def begin(*, user: User) -> None:
    """A new secret to put into an app. It protects nothing before it is confirmed."""
    TOTPDevice.objects.filter(user=user, confirmed=False).delete()
    if app_of(user) is None:
        TOTPDevice.objects.create(user=user, name="app", confirmed=False)


def cancel(*, user: User) -> None:
    TOTPDevice.objects.filter(user=user, confirmed=False).delete()


def confirm(*, user: User, code: str) -> list[str] | CodeCheck:
    """Switch on, given a code of the app: the recovery codes, shown this once, or the verdict.

    Whoever else is signed in to the account is signed out; so is the caller's own session, unless
    the view renews it.
    """
    app = unconfirmed_app_of(user)
    verdict = CodeCheck.WRONG if app is None else _verdict(user, app, _plain(code))
    if verdict is not CodeCheck.RIGHT:
        return verdict
    with transaction.atomic():
        TOTPDevice.objects.filter(user=user, confirmed=False).update(confirmed=True)
        User.objects.filter(pk=user.pk).update(sign_outs=F("sign_outs") + 1)
        user.refresh_from_db(fields=["sign_outs"])
        codes = new_recovery_codes(user=user)
        record(AuditAction.SECOND_FACTOR_ON, subject=("account", user.username))
        return codes


def verify(*, user: User, code: str) -> CodeCheck:
    """Judge a code of the confirmed app, or a recovery code. No code is right twice."""
    plain = _plain(code)
    device = app_of(user) if _APP_CODE.fullmatch(plain) else recovery_of(user)
    return CodeCheck.WRONG if device is None else _verdict(user, device, plain)


@transaction.atomic
def new_recovery_codes(*, user: User) -> list[str]:
    """Eight codes that each stand in for the app once; earlier ones end."""
    StaticDevice.objects.filter(user=user).delete()
    device = StaticDevice.objects.create(user=user, name="recovery codes")
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    record(AuditAction.RECOVERY_CODES_MADE, subject=("account", user.username))
    return [f"{code[:4]}-{code[4:]}" for code in codes]


@transaction.atomic
def switch_off(*, user: User) -> None:
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()
    record(AuditAction.SECOND_FACTOR_OFF, subject=("account", user.username))


def _verdict(user: User, device: TOTPDevice | StaticDevice, code: str) -> CodeCheck:
    is_allowed, _reason = device.verify_is_allowed()
    if not is_allowed:
        return CodeCheck.TOO_SOON
    is_right = django_otp.verify_token(user, device.persistent_id, code) is not None
    return CodeCheck.RIGHT if is_right else CodeCheck.WRONG


def _plain(code: str) -> str:
    """Without the gaps that people and apps write."""
    return re.sub(r"[\s-]", "", code).lower()


@transaction.atomic
def set_email(*, user: User, email: str) -> None:
    """The address for a forgotten password; "" for none. Earlier reset links end with it."""
    user.email = email
    user.save(update_fields=["email"])
    record(AuditAction.EMAIL_CHANGED, subject=("account", user.username))


@transaction.atomic
def set_password(*, user: User, password: str) -> None:
    """Another password, which ends every other session of the user."""
    user.set_password(password)
    user.save(update_fields=["password"])
    record(AuditAction.PASSWORD_CHANGED, subject=("account", user.username))


def set_message_mails(*, user: User, choice: MessageMails) -> None:
    """Whether and when mails tell what is in the user's inbox; all but "none" need an address."""
    user.message_mails = choice
    user.save(update_fields=["message_mails"])


def choose_language(*, user: User, language: str) -> None:
    user.language = language
    user.save(update_fields=["language"])


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
