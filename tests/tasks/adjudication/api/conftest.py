"""A researcher of the campaign, and what they call."""

import pytest

from tasks.models import Campaign, Membership
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.conftest import MakeMember


@pytest.fixture
def member(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign, "oak", "researcher")


@pytest.fixture
def oak(member: Membership, as_member: AsMember) -> ApiClient:
    return as_member(member)
