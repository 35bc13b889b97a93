"""Which second factor a person has: an authenticator app, and recovery codes beside it."""

from typing import Final

from django.db.models import Exists, OuterRef

from tasks.models import AuthenticatorApp, RecoveryCodes, User

_LACKS: Final = (
    "(u.password NOT LIKE '!%%' AND NOT EXISTS"
    " (SELECT 1 FROM otp_totp_totpdevice d WHERE d.user_id = u.id AND d.confirmed))"
)
_IS_STAFF: Final = (
    "(u.is_staff OR u.is_superuser OR EXISTS (SELECT 1 FROM tasks_membership am"
    " JOIN tasks_campaign ac ON ac.id = am.campaign_id WHERE am.user_id = u.id"
    " AND am.role = 'admin' AND am.is_active AND ac.deleted_at IS NULL))"
)
_REQUIRED: Final = {
    "optional": "FALSE",
    "staff": f"({_IS_STAFF} AND {_LACKS})",
    "everybody": _LACKS,
}


def lacks_required_factor(required_of: str) -> str:
    """In a statement with parameters, whether the user `u` has to set up a second factor first.

    `required_of` is the setting SECOND_FACTOR. Who has no password, as visitors of a crowd service,
    never has to. So asking costs no statement of its own.
    """
    return _REQUIRED[required_of]


def has_factor(user: str) -> Exists:
    """For a queryset: whether the account that this field names has one."""
    return Exists(AuthenticatorApp.objects.filter(user=OuterRef(user), confirmed=True))


def app_of(user: User) -> AuthenticatorApp | None:
    """The authenticator app that a login of this user asks for; None without one."""
    app: AuthenticatorApp | None = AuthenticatorApp.objects.filter(
        user=user, confirmed=True
    ).first()
    return app


def unconfirmed_app_of(user: User) -> AuthenticatorApp | None:
    """An app that is being set up and protects nothing yet."""
    app: AuthenticatorApp | None = AuthenticatorApp.objects.filter(
        user=user, confirmed=False
    ).first()
    return app


def recovery_of(user: User) -> RecoveryCodes | None:
    """What holds the user's recovery codes."""
    codes: RecoveryCodes | None = RecoveryCodes.objects.filter(user=user).first()
    return codes


def recovery_codes_left(user: User) -> int:
    codes = recovery_of(user)
    return len(codes.digests) if codes else 0
