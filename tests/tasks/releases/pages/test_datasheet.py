"""The datasheet's page: who may write, what is saved, and what is said of it."""

import pytest
from django.utils import translation

from tasks.models import Campaign, DatasheetAnswer, Membership, User
from tasks.releases.datasheet_forms import DatasheetForm
from tasks.releases.queries.datasheet import datasheet_answers
from tasks.releases.workflow.datasheet import answer_datasheet
from tests.tasks.browsers import signed_in
from tomahto.releases.documents.datasheet import QUESTIONS

PAGE = "/c/rivers/releases/datasheet/"
EMPTY = {question.key: "" for question in QUESTIONS}


def body(shown: dict[str, str], **changes: str) -> dict[str, str]:
    """The fields that a browser sends: all of them, and their values when the page was loaded."""
    before = EMPTY | shown
    return before | changes | {f"initial-{key}": text for key, text in before.items()}


@pytest.mark.parametrize(
    ("language", "purpose"),
    [
        ("en", "For what purpose was the dataset created?"),
        ("de", "Zu welchem Zweck wurde der Datensatz geschaffen?"),
    ],
)
def test_page_asks_in_the_language_of_its_reader(language: str, purpose: str) -> None:
    with translation.override(language):
        assert str(DatasheetForm()["purpose"].label) == purpose


def test_researchers_answer_and_see_who_did(researcher: Membership, campaign: Campaign) -> None:
    client = signed_in(researcher)
    response = client.post(PAGE, body({}, pay="15 EUR\r\nan <b>hour</b>", annotators="other"))
    assert (response.status_code, response["Location"]) == (302, PAGE)
    assert datasheet_answers(campaign) == {
        "pay": "15 EUR\nan <b>hour</b>",
        "annotators": "other",
    }
    html = client.get(PAGE).content.decode()
    assert "15 EUR\nan &lt;b&gt;hour&lt;/b&gt;</textarea>" in html
    assert '<option value="other" selected>' in html
    assert html.count("Last changed by <bdi>fern</bdi>") == 2
    assert f"{len(QUESTIONS) - 2} questions are not answered." in html
    assert "The datasheet has been saved." in html


def test_only_what_was_changed_is_saved_whatever_others_did(
    admin: Membership, campaign: Campaign
) -> None:
    answer_datasheet(campaign=campaign, answers={"pay": "10 EUR", "uses": "Tests."})
    seen = datasheet_answers(campaign)
    answer_datasheet(campaign=campaign, answers={"pay": "15 EUR"})  # somebody else, meanwhile
    signed_in(admin).post(PAGE, body(seen, uses="Exams.", funding="None."))
    assert datasheet_answers(campaign) == {"pay": "15 EUR", "uses": "Exams.", "funding": "None."}


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("authors", "Hill, Bo\r\nHill,", "Line 2 names neither a person nor an institution"),
        ("annotators", "experts", "Select a valid choice."),
        ("pay", "a\0b", "Null characters are not allowed."),
        ("pay", "x" * 10_001, "at most 10000 characters"),
    ],
)
def test_what_is_no_answer_comes_back_with_all_that_was_typed(
    admin: Membership, field: str, text: str, message: str
) -> None:
    response = signed_in(admin).post(PAGE, body({}, uses="Typed.", **{field: text}))
    html = response.content.decode()
    assert response.status_code == 422
    assert message in html
    assert "Nothing was saved." in html
    assert "Typed.</textarea>" in html
    assert not DatasheetAnswer.objects.exists()


def test_raters_and_strangers_write_nothing(rater: Membership, stranger: User) -> None:
    assert signed_in(rater).post(PAGE, body({}, pay="1")).status_code == 403
    assert signed_in(stranger).post(PAGE, body({}, pay="1")).status_code == 404
    assert not DatasheetAnswer.objects.exists()


def test_page_speaks_german(admin: Membership) -> None:
    html = signed_in(admin).get(PAGE, headers={"Accept-Language": "de"}).content.decode()
    assert "Was wurde den Bewertenden bezahlt?" in html
    assert "14 Fragen sind nicht beantwortet." in html


def test_overview_and_settings_lead_to_the_datasheet(
    admin: Membership, researcher: Membership
) -> None:
    link = f'href="{PAGE}"'
    for who, page in ((admin, ""), (admin, "settings/"), (researcher, "")):
        assert link in signed_in(who).get(f"/c/rivers/{page}").content.decode()
