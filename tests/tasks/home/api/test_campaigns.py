"""Campaigns over the API: starting one, what its members see of it, its settings."""

from tasks.intake.workflow.items import import_items
from tasks.models import Campaign, User
from tasks.people.workflow.members import publish_consent_text
from tasks.votes.items import id_for_raters
from tests.tasks.api_client import AsMember
from tests.tasks.calls import answer
from tests.tasks.conftest import MakeCampaign, MakeMember, item_row
from tomahto.interchange.reading.records import GivenAnswer

PLACE = "campaigns/campaign-1"
NEW = {"slug": "rivers", "title": "Rivers", "protocol": "ae", "overlap": 4}


def test_staff_start_campaigns_and_are_their_admins(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    member = make_member(make_campaign(items=0), role="admin")
    assert answer(as_member(member), "POST", "campaigns", NEW)[0] == 403
    User.objects.update(is_staff=True)
    staff = as_member(member)
    status, made = answer(staff, "POST", "campaigns", NEW)
    assert (status, made["own"]["role"], made["settings"]["overlap"]) == (201, "admin", 4)
    status, told = answer(staff, "POST", "campaigns", NEW)
    assert (status, told["field"]) == (400, "slug")


def test_a_rater_sees_neither_settings_nor_contents(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    rater = make_member(make_campaign(items=2, suggestions="randomised", control_every=7))
    status, seen = answer(as_member(rater), "GET", PLACE)
    assert (status, seen) == (
        200,
        {
            "slug": "campaign-1",
            "title": "campaign-1",
            "description": "",
            "language": "en",
            "protocol": "ae",
            "labels": [
                {"value": "equivalent", "title": "Equivalent"},
                {"value": "not-equivalent", "title": "Not equivalent"},
            ],
            "state": "open",
            "guideline_version": 1,
            "consent_version": None,
            "progress": None,
            "own": {
                "role": "rater",
                "pseudonym": rater.pseudonym,
                "is_paused": False,
                "missing": None,
                "next": "rate",
                "left": 10,
                "ratings": 0,
                "time": {"total": 0, "this_week": 0, "pace": None, "items": 0},
            },
            "settings": None,
            "contents": None,
            "next_step": None,
        },
    )


def test_the_next_step_is_that_of_the_overview(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    researcher = make_member(make_campaign(items=2), role="researcher")
    step = answer(as_member(researcher), "GET", PLACE)[1]["next_step"]
    assert step == {"key": "no-raters", "page": "/c/campaign-1/settings/members/#invitations"}


def test_settings_change_and_the_slots_follow(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    admin = as_member(make_member(make_campaign(items=2), role="admin"))
    changes = {
        "overlap": 3,
        "exact_rule": "squad",
        "state": "paused",
        "rater_quota": 5,
        "shows_differences": False,
        "language": "zh-Hant",
        "form_languages": "de",
    }
    status, seen = answer(admin, "PATCH", PLACE, changes)
    assert (status, seen["progress"]) == (200, {"done": 0, "wanted": 6})
    assert seen["settings"] == {
        "title": "campaign-1",
        "description": "",
        "language": "zh-Hant",
        "state": "paused",
        "suggestions": "hidden",
        "suggestion_matcher": "feather",
        "overlap": 3,
        "exact_rule": "squad",
        "item_order": "complete",
        "rater_quota": 5,
        "control_every": 0,
        "shows_differences": False,
        "passages_are_markdown": False,
        "form_languages": "de",
        "adjudicates_blind": True,
        "mail_sender_name": "",
        "mail_reply_to": "",
    }
    assert (
        answer(admin, "PATCH", PLACE, {"rater_quota": None})[1]["settings"]["rater_quota"] is None
    )
    refused = answer(admin, "PATCH", PLACE, {"form_languages": "de tlh"})
    assert (refused[0], refused[1]["field"]) == (400, "form_languages")
    assert answer(admin, "GET", PLACE)[1]["settings"]["form_languages"] == "de"


def test_guidelines_are_published_listed_and_read(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=0)
    admin, rater = (as_member(make_member(campaign, role=role)) for role in ("admin", "rater"))
    text = {"text": "Otherwise."}
    made = answer(admin, "POST", f"{PLACE}/guidelines", text)
    again = answer(admin, "POST", f"{PLACE}/guidelines", text)
    assert (made[0], again[0]) == (201, 200)
    assert made[1] == again[1] == answer(rater, "GET", f"{PLACE}/guideline")[1]
    assert (made[1]["version"], made[1]["text"]) == (2, "Otherwise.\n")
    listed = answer(rater, "GET", f"{PLACE}/guidelines")[1]["results"]
    assert [(each["version"], each["is_in_force"]) for each in listed] == [(2, True), (1, False)]
    first = answer(rater, "GET", f"{PLACE}/guidelines/1")[1]
    assert (first["version"], first["is_in_force"]) == (1, False)
    assert answer(rater, "POST", f"{PLACE}/guidelines", text)[0] == 403


def test_overlaps_are_of_systems_that_are_there(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    admin = as_member(make_member(make_campaign(items=2), role="admin"))
    place = f"{PLACE}/settings/overlaps"
    for wrong in ({"willow": 3}, {"juniper": 0}, {"a\0b": 1}, {"juniper": 4, "willow": 2}):
        status, told = answer(admin, "PATCH", place, {"systems": wrong})
        assert (status, told["field"]) == (400, f"systems.{list(wrong)[-1]}"), wrong
    assert answer(admin, "PATCH", place, {"systems": {"juniper": 4}}) == (
        200,
        {"overlap": 2, "systems": {"juniper": 4}},
    )
    assert answer(admin, "GET", PLACE)[1]["progress"] == {"done": 0, "wanted": 8}


def test_completion_goes_back_by_https_alone(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    admin = as_member(make_member(make_campaign(items=0), role="admin"))
    place = f"{PLACE}/settings/completion"
    given = {"completion_code": "C0DE", "completion_url": "https://crowd.example/done"}
    assert answer(admin, "PUT", place, given) == (200, given)
    status, told = answer(admin, "PUT", place, {**given, "completion_url": "http://a.example"})
    assert (status, told["field"]) == (400, "completion_url")
    assert answer(admin, "GET", place) == (200, given)


def test_consent_is_to_the_version_in_force(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=0)
    admin, rater = (as_member(make_member(campaign, role=role)) for role in ("admin", "rater"))
    assert answer(rater, "GET", f"{PLACE}/consent")[0] == 404
    texts = f"{PLACE}/settings/consent-texts"
    assert answer(admin, "POST", texts, {"text": "Agree?"})[1]["version"] == 1
    assert answer(rater, "GET", PLACE)[1]["own"]["missing"] == "consent"
    assert answer(rater, "POST", f"{PLACE}/consent", {"version": 2})[0] == 409
    status, given = answer(rater, "POST", f"{PLACE}/consent", {"version": 1})
    assert (status, given["text"], given["given_at"] is None) == (200, "Agree?\n", False)
    assert answer(rater, "GET", PLACE)[1]["own"]["missing"] is None
    assert answer(admin, "POST", texts, {"text": ""}) == (204, None)
    listed = answer(admin, "GET", texts)[1]["results"]
    assert [(each["version"], each["is_in_force"]) for each in listed] == [(1, False)]


def calibrating(campaign: Campaign) -> None:
    rows = [
        item_row(
            number,
            id=f"training-{number}",
            purpose="calibration",
            expected=GivenAnswer("equivalent"),
            explanation="sentinel-explanation",
        )
        for number in (8, 9)
    ]
    import_items(campaign=campaign, rows=rows)


def test_calibration_is_passed_item_by_item(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=1)
    admin, rater = (as_member(make_member(campaign, role=role)) for role in ("admin", "rater"))
    place = f"{PLACE}/calibration"
    rules = {"is_required": True, "pass_percent": 100, "attempts": 1}
    assert answer(admin, "PUT", f"{PLACE}/settings/calibration", rules)[0] == 409
    calibrating(campaign)
    told = answer(admin, "PUT", f"{PLACE}/settings/calibration", rules)
    assert told == (200, {**rules, "items": 2})
    status, attempt = answer(rater, "POST", place)
    assert (status, attempt["number"], attempt["needed"], attempt["verdicts"]) == (200, 1, 2, [])
    assert "sentinel" not in str(attempt)
    both = {id_for_raters(item.pk) for item in campaign.items.filter(purpose="calibration")}
    first = attempt["next_item"]["id"]
    answers = {"q1": False, "q2": True}
    for wrong in ("training-8", (both - {first}).pop()):
        body = {"item": wrong, "answers": answers}
        assert answer(rater, "POST", f"{place}/1/answers", body)[0] == 409
    body = {"item": first, "answers": answers}
    status, attempt = answer(rater, "POST", f"{place}/1/answers", body)
    verdict = attempt["verdicts"][0]
    assert (verdict["item"]["id"], verdict["is_as_expected"]) == (first, True)
    assert verdict["explanation"] == "sentinel-explanation"
    body = {"item": attempt["next_item"]["id"], "answers": {"q1": True}}
    status, attempt = answer(rater, "POST", f"{place}/1/answers", body)
    assert (attempt["is_passed"], attempt["as_expected"], attempt["next_item"]) == (False, 1, None)
    assert answer(rater, "GET", f"{place}/1") == (200, attempt)
    assert answer(rater, "POST", place)[0] == 409
    assert answer(rater, "GET", place)[1] == {
        "is_required": True,
        "is_passed": False,
        "items": 2,
        "attempts_left": 0,
        "attempt": 1,
    }


def test_an_admin_decides_on_who_is_stuck(
    make_campaign: MakeCampaign, make_member: MakeMember, as_member: AsMember
) -> None:
    campaign = make_campaign(items=1, requires_calibration=True)
    calibrating(campaign)
    publish_consent_text(campaign=campaign, text="Agree?")
    rater, admin = make_member(campaign), as_member(make_member(campaign, role="admin"))
    assert answer(as_member(rater), "GET", f"{PLACE}/calibration")[1]["missing"] == "consent"
    place = f"{PLACE}/settings/calibration/{rater.pk}"
    grant = {"decision": "grant", "reason": "A slip."}
    assert answer(admin, "POST", place, grant)[0] == 409  # attempts are left
    status, standing = answer(admin, "POST", place, {**grant, "decision": "pass"})
    assert (status, standing) == (
        200,
        {
            "member": rater.pk,
            "pseudonym": rater.pseudonym,
            "attempts": 1,
            "standing": "passed",
            "decision": "Calibration: passed by decision. A slip.",
        },
    )
    standings = answer(admin, "GET", f"{PLACE}/settings/calibration/standings")[1]
    assert [each["standing"] for each in standings] == ["passed", "attempts-left"]
