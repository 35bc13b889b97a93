"""The links by which mails about messages are ended: signed, good for that alone."""

from django.core import signing

from tasks.models import User

_SALT = "tasks.talk.stop-mails"


def token_of(user: User) -> str:
    return signing.dumps(user.pk, salt=_SALT)


def user_of_token(token: str) -> User:
    """Raises BadSignature, and User.DoesNotExist."""
    return User.objects.get(pk=signing.loads(token, salt=_SALT), is_active=True)
