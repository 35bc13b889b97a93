"""The page to which one signs in again for the pages in other tabs."""

from http import HTTPStatus

from django.test import Client

from tasks.models import Membership, User
from tests.factories import PASSWORD
from tests.tasks.access.pages.test_two_factor import code_of, switch_on
from tests.tasks.browsers import signed_in

PAGE = "/signed-in/"
LOGIN = {"username": "pine", "password": PASSWORD}


def test_page_says_who_is_signed_in_and_brings_a_token(rater: Membership) -> None:
    client = signed_in(rater)
    response = client.get(PAGE)
    assert '<body data-user="pine" data-signed-in="/signed-in/">' in response.content.decode()
    assert client.cookies["csrftoken"].value


def test_nobody_is_sent_to_the_login_and_a_script_is_told(user: User) -> None:
    assert Client().get(PAGE)["Location"] == f"/login/?next={PAGE}"
    response = Client().get(PAGE, headers={"X-Requested-With": "fetch"})
    assert response.status_code == HTTPStatus.UNAUTHORIZED


def test_login_with_a_code_leads_back_here(rater: Membership) -> None:
    switch_on(rater)
    assert rater.user is not None
    client = Client()
    asked = client.post("/login/", {**LOGIN, "next": PAGE})["Location"]
    assert asked == "/login/code/?next=%2Fsigned-in%2F"
    response = client.post(asked, {"code": code_of(rater.user)})
    assert response["Location"] == PAGE


def test_somebody_else_is_let_in_from_here(rater: Membership) -> None:
    client = signed_in(rater)
    form = {"next": f"/login/?next={PAGE}"}
    assert f'name="next" value="{form["next"]}"' in " ".join(
        client.get(PAGE).content.decode().split()
    )
    assert client.post("/logout/", form)["Location"] == form["next"]
