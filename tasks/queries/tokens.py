"""Whom a token speaks for."""

from tasks.models import ApiToken, User

_USER = """
SELECT u.* FROM tasks_user u JOIN tasks_apitoken t ON t.user_id = u.id
WHERE t.digest = %s AND u.is_active
"""


def user_of_token(key: str) -> User | None:
    """The active user who was issued this token, None for an unknown one."""
    return next(iter(User.objects.raw(_USER, [ApiToken.digest_of(key)])), None)
