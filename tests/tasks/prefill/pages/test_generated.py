"""Reviewing what a model wrote: admins only, in bulk, without JavaScript."""

import pytest

from tasks.models import (
    Campaign,
    GeneratedState,
    Item,
    Membership,
    Question,
)
from tests.factories import make_campaign, make_item, make_member
from tests.injections import INJECTIONS
from tests.tasks.browsers import signed_in
from tests.tasks.prefill.drafts import draft, states

ADDRESS = "/c/classes/generated/"


@pytest.fixture
def classes(db: None) -> Campaign:
    campaign = make_campaign("classes", protocol="cap")
    make_item(campaign, references=("in the hills",))
    return campaign


@pytest.fixture
def reviewer(classes: Campaign) -> Membership:
    return make_member(classes, "admin", "elm")


def post(who: Membership, action: str, **fields: list[int] | list[str]) -> str:
    response = signed_in(who).post(ADDRESS, {"action": action, **fields}, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def test_pending_texts_are_listed_with_what_they_were_meant_to_be(
    classes: Campaign, reviewer: Membership
) -> None:
    draft(classes, "in hills")
    html = signed_in(reviewer).get(ADDRESS).content.decode()
    for shown in ("in hills", "partial", "in the hills", "finch-7b", "candidate-1:a",
                  "Pending (1)", "[&quot;in hills&quot;]"):  # fmt: skip
        assert shown in html


def test_what_is_ticked_is_approved_and_the_rest_stays(
    classes: Campaign, reviewer: Membership
) -> None:
    first, second = draft(classes, "in hills"), draft(classes, "northern")
    html = post(reviewer, "approve-ticked", text=[first.pk], shown=[first.pk, second.pk])
    assert "1 item is new." in html
    assert states(classes) == ["approved", "pending"]
    made = Item.objects.get(candidate="in hills")
    assert list(made.item_systems.values_list("system__name", flat=True)) == ["finch-7b"]


def test_all_on_the_page_are_approved_or_rejected_at_once(
    classes: Campaign, reviewer: Membership
) -> None:
    ids = [draft(classes, f"text {n}").pk for n in range(3)]
    assert "2 items are new." in post(reviewer, "approve-shown", shown=ids[:2])
    assert "1 text is rejected." in post(reviewer, "reject-shown", shown=ids)
    assert states(classes) == ["approved", "approved", "rejected"]


def test_what_has_a_class_in_common_is_approved_at_once(
    classes: Campaign, reviewer: Membership
) -> None:
    first, other = draft(classes, "in hills"), draft(classes, "no hill", target="invalid")
    html = signed_in(reviewer).get(f"{ADDRESS}?target=partial").content.decode()
    assert ("in hills" in html, "no hill" in html) == (True, False)
    assert "Approve all of this list: 1 text" in html
    assert f'name="newest" value="{first.pk}"' in html
    draft(classes, "later")  # after the page was made
    html = post(reviewer, "approve-common", newest=[first.pk], target=["partial"])
    assert "1 item is new." in html
    assert states(classes) == ["approved", "pending", "pending"]
    assert "1 text is rejected." in post(reviewer, "reject-common", newest=[other.pk])
    assert states(classes) == ["approved", "rejected", "pending"]
    post(reviewer, "approve-common", target=["partial"])
    assert states(classes) == ["approved", "rejected", "pending"]


def test_a_text_has_the_type_of_its_source(classes: Campaign, reviewer: Membership) -> None:
    draft(classes, "in hills")
    Question.objects.update(question_type="short")
    draft(classes, "own type", source=None, question_type="long", fingerprint="own")
    client = signed_in(reviewer)
    for kind, texts in (("short", (True, False)), ("long", (False, True))):
        html = client.get(f"{ADDRESS}?question_type={kind}").content.decode()
        assert ("in hills" in html, "own type" in html) == texts


def test_nothing_ticked_changes_nothing(classes: Campaign, reviewer: Membership) -> None:
    draft(classes, "in hills")
    assert "Select the texts first." in post(reviewer, "approve-ticked")
    assert states(classes) == ["pending"]


@pytest.mark.parametrize("action", ["", "approve", "delete-shown", "approve-all"])
def test_other_actions_are_refused(classes: Campaign, reviewer: Membership, action: str) -> None:
    text = draft(classes, "in hills")
    response = signed_in(reviewer).post(ADDRESS, {"action": action, "text": [text.pk]})
    assert (response.status_code, states(classes)) == (400, ["pending"])


@pytest.mark.parametrize("value", ["", "x", "-1", "9" * 18, "9" * 100, "1.5", "²"])
def test_numbers_that_are_none_are_passed_over(
    classes: Campaign, reviewer: Membership, value: str
) -> None:
    draft(classes, "in hills")
    response = signed_in(reviewer).post(ADDRESS, {"action": "approve-ticked", "text": [value]})
    assert (response.status_code, states(classes)) == (302, ["pending"])


def test_texts_of_another_campaign_cannot_be_reviewed(
    classes: Campaign, reviewer: Membership
) -> None:
    other = make_campaign("others", protocol="cap")
    make_item(other)
    text = draft(other, "elsewhere")
    post(reviewer, "approve-ticked", text=[text.pk])
    assert states(other) == ["pending"]
    assert "elsewhere" not in signed_in(reviewer).get(ADDRESS).content.decode()


def test_failures_are_shown_in_a_list_of_their_own_and_have_no_buttons(
    classes: Campaign, reviewer: Membership
) -> None:
    draft(classes, "", state=GeneratedState.FAILED, error="the reply is not JSON",
          fingerprint="f")  # fmt: skip
    client = signed_in(reviewer)
    assert "the reply is not JSON" not in client.get(ADDRESS).content.decode()
    html = client.get(f"{ADDRESS}?state=failed").content.decode()
    assert "the reply is not JSON" in html
    assert "approve-ticked" not in html


def test_an_unknown_state_shows_what_is_pending(classes: Campaign, reviewer: Membership) -> None:
    draft(classes, "in hills")
    assert "in hills" in signed_in(reviewer).get(f"{ADDRESS}?state=x").content.decode()


def test_twenty_five_are_on_a_page(classes: Campaign, reviewer: Membership) -> None:
    for number in range(26):
        draft(classes, f"text {number}")
    client = signed_in(reviewer)
    first, second = (client.get(f"{ADDRESS}?page={n}").content.decode() for n in (1, 2))
    assert (first.count("<article"), second.count("<article")) == (25, 1)
    assert 'href="?state=pending&amp;page=2"' in first


def test_hostile_texts_are_shown_and_never_run(classes: Campaign, reviewer: Membership) -> None:
    for number, text in enumerate(INJECTIONS):
        draft(classes, text[:2000], fingerprint=f"{number}")
    client = signed_in(reviewer)
    for page in (1, 2):
        html = client.get(f"{ADDRESS}?page={page}").content.decode()
        for tag in ("<script>document", "<img src=x", "<svg/onload", "<iframe", "<a href='data"):
            assert tag not in html
        assert "\u202e" not in html


def test_pairs_show_what_they_were_written_for_and_are_parted_by_it(
    classes: Campaign, reviewer: Membership
) -> None:
    said = {"kind": "rules", "target": "aliasing/correct"}
    draft(classes, "a flawless twin", **said)
    draft(classes, "a doubtful twin", **said, provenance={"written_for": "aliasing/incorrect"})
    html = signed_in(reviewer).get(ADDRESS).content.decode()
    assert html.count("Written for") == html.count("aliasing/incorrect") == 1
    assert '<option value="differs">' in html
    html = signed_in(reviewer).get(ADDRESS, {"second_verdict": "same"}).content.decode()
    assert "a flawless twin" in html
    assert "a doubtful twin" not in html
    post(reviewer, "reject-common", second_verdict=["differs"], newest=[10**9])
    assert states(classes) == ["pending", "rejected"]
