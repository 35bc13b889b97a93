"""What people change about their own account."""

from tasks.models import User


def set_email(*, user: User, email: str) -> None:
    """The address for a forgotten password; "" for none. Earlier reset links end with it."""
    user.email = email
    user.save(update_fields=["email"])
