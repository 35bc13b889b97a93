"""A page below another leads back to it, above its title."""

import pytest
from django.urls import reverse

from tasks.models import Membership
from tests.tasks.browsers import signed_in

UP = {
    "audit": "settings",
    "webhooks": "settings",
    "matchers": "jobs",
    "generated": "jobs",
    "job-failures": "jobs",
    "datasheet": "releases",
    "items-acts": "items",
    "invite-by-mail": "members",
}


@pytest.mark.parametrize("name", UP)
def test_a_page_leads_to_the_one_above_it(admin: Membership, name: str) -> None:
    slug = admin.campaign.slug
    html = signed_in(admin).get(reverse(name, args=[slug])).content.decode()
    before_title = html[html.index('id="content"') : html.index("<h1")]
    assert f'<p><a href="{reverse(UP[name], args=[slug])}">' in before_title


def test_the_password_is_changed_below_the_account(admin: Membership) -> None:
    html = signed_in(admin).get(reverse("password_change")).content.decode()
    assert f'<p><a href="{reverse("account")}">' in html[: html.index("<h1")]
