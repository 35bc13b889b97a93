"""The rater's account."""

import pytest

from tasks.models import Membership, User


@pytest.fixture
def user(rater: Membership) -> User:
    assert rater.user is not None
    return rater.user
