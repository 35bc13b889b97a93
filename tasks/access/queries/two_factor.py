"""Which second factor a person has: an authenticator app, and recovery codes beside it."""

from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.models import User


def app_of(user: User) -> TOTPDevice | None:
    """The authenticator app that a login of this user asks for; None without one."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def unconfirmed_app_of(user: User) -> TOTPDevice | None:
    """An app that is being set up and protects nothing yet."""
    return TOTPDevice.objects.filter(user=user, confirmed=False).first()


def recovery_of(user: User) -> StaticDevice | None:
    """What holds the user's recovery codes."""
    return StaticDevice.objects.filter(user=user).first()


def recovery_codes_left(user: User) -> int:
    return int(StaticToken.objects.filter(device__user=user).count())
