"""The rater's side of the API: drafts, skipping, flags, the item after this one, their history."""

import pytest

from tasks.intake.workflow.items import import_items
from tasks.models import Assignment, Campaign, Draft, Flag, Suggestion
from tasks.votes.items import id_for_raters
from tests.tasks.api_client import ApiClient, AsMember
from tests.tasks.calls import answer
from tests.tasks.conftest import MakeCampaign, MakeMember, item_row
from tomahto.interchange.reading.records import GivenAnswer

EQUIVALENT = {"q1": False, "q2": True}
PLACE = "campaigns/campaign-1"


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=2)


@pytest.fixture
def rater(campaign: Campaign, make_member: MakeMember, as_member: AsMember) -> ApiClient:
    return as_member(make_member(campaign))


def claimed(caller: ApiClient) -> int:
    number: int = caller.claim("campaign-1").json()["assignment"]
    return number


def test_a_draft_is_kept_until_its_rating_is_there(rater: ApiClient) -> None:
    place = f"assignments/{(number := claimed(rater))}/draft"
    nothing: dict[str, object] = {"answers": {}, "comment": "", "seconds": None, "updated_at": None}
    assert answer(rater, "GET", place) == (200, nothing)
    draft = {"answers": {"q1": False}, "comment": " so far", "seconds": 2.5}
    status, kept = answer(rater, "PUT", place, draft)
    assert (status, kept["answers"], kept["comment"], kept["seconds"]) == (
        200,
        {"q1": "no"},
        " so far",
        2.5,
    )
    assert answer(rater, "GET", place) == (200, kept)
    rater.rate(number, EQUIVALENT, key="key-9")
    late = {**draft, "idempotency_key": "key-9"}
    assert answer(rater, "PUT", place, late) == (200, nothing)  # it had been submitted
    assert not Draft.objects.exists()


NO_DRAFTS: list[tuple[object, str | None]] = [
    ({"answers": {"q9": True}}, "q9"),
    ({"answers": {"q1": "maybe"}}, "q1"),
    ({"answers": {"q1": {"a": []}}}, "q1"),
    ({"answers": {"q1": True, "q2": True}}, "q2"),
    ({"answers": {"\ud800": True}}, "\\ud800"),
    ({"answers": [1]}, "answers"),
    ({"comment": "a\0b"}, "comment"),
    ({"seconds": -1}, "seconds"),
    ({"q1": True}, "q1"),
]


def test_a_draft_that_cannot_be_is_400(rater: ApiClient) -> None:
    place = f"assignments/{claimed(rater)}/draft"
    for body, field in NO_DRAFTS:
        status, told = answer(rater, "PUT", place, body)
        assert (status, told["field"]) == (400, field), body


def test_a_skipped_item_is_gone_and_a_rated_one_is_not_skipped(rater: ApiClient) -> None:
    first = claimed(rater)
    assert answer(rater, "POST", f"assignments/{first}/skip", {"reason": " "})[0] == 400
    assert answer(rater, "POST", f"assignments/{first}/skip", {"reason": "Torn."}) == (204, None)
    assert Assignment.objects.get(pk=first).skip_reason == "Torn."
    assert answer(rater, "GET", f"assignments/{first}")[0] == 404
    second = claimed(rater)
    assert second != first
    rater.rate(second, EQUIVALENT)
    assert answer(rater, "POST", f"assignments/{second}/skip", {"reason": "Torn."})[0] == 409


def test_an_assignment_shows_all_its_form_does(rater: ApiClient) -> None:
    number = claimed(rater)
    rater.rate(number, {**EQUIVALENT, "comment": "close"})
    raised = answer(rater, "POST", f"assignments/{number}/flag", {"reason": "A typo."})
    again = answer(rater, "POST", f"assignments/{number}/flag", {"reason": "Two typos."})
    assert (raised[0], again[1]["id"]) == (200, raised[1]["id"])
    assert Flag.objects.get().reason == "Two typos."
    status, shown = answer(rater, "GET", f"assignments/{number}")
    item_id = id_for_raters(Assignment.objects.get().item_id)
    assert (status, shown["state"], shown["item"]["id"]) == (200, "submitted", item_id)
    assert shown["flag"] == again[1]
    assert shown["suggestion"] is None
    del shown["rating"]["rating"]
    assert shown["rating"] == {
        "label": "equivalent",
        "answers": {"q1": "no", "q2": "yes"},
        "comment": "close",
    }


@pytest.mark.parametrize(
    ("policy", "before", "after"),
    [("hidden", False, False), ("before", True, True), ("after", False, True)],
)
def test_claim_and_assignment_show_the_suggestion_when_the_policy_says_so(
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    as_member: AsMember,
    policy: str,
    before: bool,
    after: bool,
) -> None:
    campaign = make_campaign(items=1, suggestions=policy)
    Suggestion.objects.create(
        item=campaign.items.get(), matcher="feather", version="1", score=0.4321, is_correct=False
    )
    rater = as_member(make_member(campaign))
    claim = rater.claim(campaign.slug).json()
    number = claim["assignment"]
    seen = {"matcher": "feather", "score": 0.4321, "is_correct": False}
    shown = answer(rater, "GET", f"assignments/{number}")[1]["suggestion"]
    assert (claim.get("suggestion"), shown) == ((seen, seen) if before else (None, None))
    rater.rate(number, EQUIVALENT)
    then = answer(rater, "GET", f"assignments/{number}")[1]["suggestion"]
    assert then == (seen if after else None)


def test_the_following_item_is_what_the_claim_gives_then(rater: ApiClient) -> None:
    first = claimed(rater)
    status, following = answer(rater, "POST", f"assignments/{first}/following")
    rater.rate(first, EQUIVALENT)
    assert (status, following["assignment"]) == (200, claimed(rater))
    assert answer(rater, "POST", f"assignments/{first}/following") == (204, None)


def test_history_is_ones_own_by_words_and_label(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=3)
    rater, other = (as_member(make_member(campaign)) for _ in range(2))
    for caller in (rater, other):
        for place in range(2):
            caller.rate(
                claimed(caller),
                {"q1": not place, **({"q2": True} if place else {})},
                key=f"k{place}",
            )
    found = answer(rater, "GET", f"{PLACE}/history")[1]["results"]
    assert [each["label"] for each in found] == ["equivalent", "not-equivalent"]
    word = found[0]["item"]["candidate"].split()[1]
    named = answer(rater, "GET", f"{PLACE}/history?q=candidate+{word}")[1]["results"]
    assert named == found[:1]
    assert answer(rater, "GET", f"{PLACE}/history?label=not-equivalent")[1]["results"] == found[1:]
    page = answer(rater, "GET", f"{PLACE}/history?limit=1")[1]
    assert (page["results"], page["next"] is None) == (found[:1], False)


def test_a_control_item_does_not_say_that_it_is_one(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=0, control_every=1)
    rows = [
        item_row(number, id=name, purpose="control", expected=GivenAnswer("equivalent"))
        for number, name in ((8, "control-8"), (9, None))
    ]
    import_items(campaign=campaign, rows=[item_row(1), item_row(2), *rows])
    assert campaign.items.filter(key__startswith="control-i-").exists()
    rater = as_member(make_member(campaign))
    seen = ""
    while (response := rater.claim("campaign-1")).status_code == 200:
        number = response.json()["assignment"]
        rater.rate(number, EQUIVALENT, key=f"key-{number}")
        seen += response.content.decode() + str(answer(rater, "GET", f"assignments/{number}"))
    seen += str(answer(rater, "GET", f"{PLACE}/history"))
    assert Assignment.objects.count() == 4
    assert "control" not in seen
