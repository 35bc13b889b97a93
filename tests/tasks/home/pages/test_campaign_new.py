"""A new campaign: its short name, and the form of its protocol to be tried."""

import re

import pytest
from django.test import Client

from tasks.models import Campaign, Item, Question, Rating
from tasks.protocols import protocols
from tests.factories import make_campaign, make_user
from tests.tasks.browsers import signed_in

PAGE = "/campaigns/new/"


@pytest.fixture
def staff(db: None) -> Client:
    return signed_in(make_user(is_staff=True))


@pytest.mark.parametrize(
    ("title", "given", "slug"),
    [
        ("Lakes", "", "lakes"),
        ("Héron’s  answers_1", "", "herons-answers-1"),
        ("湖", "", "ae"),
        ("Rivers", "", "rivers-2"),
        ("Rivers", "all", "all"),
    ],
)
def test_a_new_campaign_has_a_short_name_and_leads_to_its_first_import(
    staff: Client, title: str, given: str, slug: str
) -> None:
    make_campaign("rivers")
    fields = {"title": title, "slug": given, "protocol": "ae", "overlap": 3}
    made = staff.post(PAGE, {**fields, "suggestions": "hidden"}, follow=True)
    assert made.redirect_chain[-1][0] == f"/c/{slug}/"
    html = made.content.decode()
    assert f'<a class="button primary" href="/c/{slug}/import/">' in html


def tried(staff: Client, query: str) -> tuple[str, str, str]:
    """The protocol, the question asked, and the label that the answers mean."""
    html = staff.get(f"{PAGE}?{query}").content.decode()
    (protocol,) = re.findall(r'type="hidden"\s+name="protocol"\s+value="(\w+)"', html)
    (asked,) = re.findall(r'name="asked"\s+value="(\w+)"', html)
    label = re.search(r'These answers mean\s+<b lang="en">([^<]+)</b>', html)
    return protocol, asked, label[1] if label else ""


@pytest.mark.parametrize("name", protocols())
def test_every_protocol_shows_its_questions_about_its_example(staff: Client, name: str) -> None:
    html = staff.get(PAGE, {"protocol": name}).content.decode()
    protocol = protocols()[name]
    chosen = r'<input(?=[^>]*name="protocol")(?=[^>]* checked)[^>]* value="(\w+)"'
    assert re.findall(chosen, html) == [name]
    assert protocol.example.question in html
    assert [question.text in html for question in protocol.questions] == [True] * len(
        protocol.questions
    )


@pytest.mark.parametrize(
    ("query", "protocol", "asked", "label"),
    [
        ("", "ae", "q1", ""),
        ("protocol=nonsense", "ae", "q1", ""),
        ("protocol=ae&q1=no&action=next", "ae", "q2", ""),
        ("protocol=ae&q1=no&q2=no&asked=q3&action=previous", "ae", "q2", ""),
        ("protocol=ae&q1=no&q2=yes&action=submit", "ae", "q2", "Equivalent"),
        # the answer to the first question closes the second
        ("protocol=ae&q1=yes&q2=yes&action=submit", "ae", "q1", "Not equivalent"),
        ("protocol=ae&q1=no&action=submit", "ae", "q2", ""),
        ("protocol=cap&q1=no", "cap", "label", ""),
        ("protocol=cap&label=nonsense&action=submit", "cap", "label", ""),
        ("protocol=rules&label=correct&rules=semantic&action=submit", "rules", "rules", "Correct"),
    ],
)
def test_the_form_is_answered_without_scripts(
    staff: Client, query: str, protocol: str, asked: str, label: str
) -> None:
    assert tried(staff, query) == (protocol, asked, label)


def test_a_tried_form_stores_nothing(staff: Client) -> None:
    tried(staff, "protocol=cap&label=partial&action=submit")
    assert [model.objects.count() for model in (Campaign, Question, Item, Rating)] == [0] * 4


def test_a_refused_campaign_keeps_its_protocol_on_view(staff: Client) -> None:
    body = {"title": "", "protocol": "cap", "overlap": 3, "suggestions": "hidden"}
    page = staff.post(PAGE, body)
    assert page.status_code == 422
    assert protocols()["cap"].example.question in page.content.decode()
