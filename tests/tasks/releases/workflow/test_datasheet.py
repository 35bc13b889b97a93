"""Answers to the datasheet: kept with who wrote them, and published only as they were typed."""

import json
from pathlib import Path

import pytest

from tasks.models import Campaign, DatasheetAnswer, Release
from tasks.people.workflow.members import give_consent, publish_consent_text
from tasks.releases.queries.datasheet import answers_in_force, datasheet_answers
from tasks.releases.workflow.datasheet import MAX_ANSWER, AnswerRefused, answer_datasheet
from tasks.releases.workflow.listing import ReleaseRefused
from tests.factories import make_user
from tests.tasks.conftest import MakeCampaign, MakeMember, rate_next
from tests.tasks.releases import releasing
from tomahto.releases.documents.datasheet import QUESTIONS, blanks_of
from tomahto.releases.verification.verify import verify_release

COMPLETE = {question.key: "Said." for question in QUESTIONS} | {
    "authors": "Hill, Bo",
    "annotators": "other",
}


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=2, overlap=1)


def test_answers_are_kept_with_those_before_and_who_wrote_them(campaign: Campaign) -> None:
    fern = make_user("fern")
    assert answer_datasheet(campaign=campaign, answers={"pay": " 15 EUR\r\nan hour "}) == ["pay"]
    answer_datasheet(campaign=campaign, answers={"pay": "", "uses": "Tests."}, written_by=fern)
    assert datasheet_answers(campaign) == {"uses": "Tests."}
    in_force = answers_in_force(campaign)
    assert {key: (each.text, each.written_by) for key, each in in_force.items()} == {
        "pay": ("", fern),
        "uses": ("Tests.", fern),
    }
    assert list(DatasheetAnswer.objects.values_list("question", "text", "written_by")) == [
        ("pay", "15 EUR\nan hour", None),
        ("pay", "", fern.pk),
        ("uses", "Tests.", fern.pk),
    ]


def test_the_same_answer_again_changes_nothing(campaign: Campaign) -> None:
    answer_datasheet(campaign=campaign, answers={"pay": "15 EUR"})
    assert answer_datasheet(campaign=campaign, answers={"pay": "15 EUR\r\n", "uses": ""}) == []
    assert DatasheetAnswer.objects.count() == 1


def test_answers_are_of_their_campaign(campaign: Campaign, make_campaign: MakeCampaign) -> None:
    other = make_campaign()
    answer_datasheet(campaign=other, answers={"pay": "15 EUR"})
    assert datasheet_answers(campaign) == {}


@pytest.mark.parametrize(
    ("key", "text", "message"),
    [
        ("salary", "x", "salary: is not a question; the questions are purpose, authors,"),
        ("pay", "a\0b", "pay: holds a NUL character"),
        ("pay", "\ud800", "pay: holds half a surrogate pair (U+D800 at character 1)"),
        ("pay", "x" * (MAX_ANSWER + 1), "pay: has 10,001 characters; at most 10,000 are read"),
        ("annotators", "experts", "annotators: is not one of expert-generated, crowdsourced,"),
        ("authors", "Hill,", "authors: line 1: is neither a name (Family name, Given names)"),
    ],
)
def test_what_is_no_answer_is_refused_and_nothing_stored(
    campaign: Campaign, key: str, text: str, message: str
) -> None:
    with pytest.raises(AnswerRefused) as caught:
        answer_datasheet(campaign=campaign, answers={"uses": "Tests.", key: text})
    assert str(caught.value).startswith(message)
    assert caught.value.key == key
    assert not DatasheetAnswer.objects.exists()


def publish(campaign: Campaign, out: Path, *, requires_datasheet: bool = False) -> Release:
    return releasing.publish(
        campaign, out, split="document:test=100", requires_datasheet=requires_datasheet
    )


def test_release_that_requires_the_datasheet_names_its_blanks_and_writes_nothing(
    campaign: Campaign, make_member: MakeMember, tmp_path: Path
) -> None:
    rate_next(make_member(campaign, "pine"))
    answers = {key: text for key, text in COMPLETE.items() if key not in ("pay", "uses")}
    answer_datasheet(campaign=campaign, answers=answers)
    with pytest.raises(ReleaseRefused, match=r"incomplete; unanswered: pay, uses$"):
        publish(campaign, tmp_path / "out", requires_datasheet=True)
    assert (list(tmp_path.iterdir()), Release.objects.count()) == ([], 0)
    publish(campaign, tmp_path / "out")
    assert blanks_of(tmp_path / "out") == ("pay", "uses")
    answer_datasheet(campaign=campaign, answers=COMPLETE)
    whole = publish(campaign, tmp_path / "whole", requires_datasheet=True)
    assert blanks_of(tmp_path / "whole") == ()
    assert verify_release(tmp_path / "whole") == []
    assert whole.digest == Release.objects.get().digest


def test_release_counts_who_agreed_and_how_they_came(
    campaign: Campaign, make_member: MakeMember, tmp_path: Path
) -> None:
    publish_consent_text(campaign=campaign, text="Consent?")
    pine = make_member(campaign, "pine")
    give_consent(membership=pine, version=1)
    pine.refresh_from_db()
    rate_next(pine)
    publish(campaign, tmp_path / "out")
    sheet = json.loads((tmp_path / "out" / "datasheet.json").read_text())
    facts = {
        entry["key"]: entry.get("facts") for part in sheet["sections"] for entry in part["entries"]
    }
    assert facts["consent"] == {"raters": 1, "versions": {"1": 1}, "agreed_to_any": 1}
    assert facts["people"]["entries"] == {"account": 1}
