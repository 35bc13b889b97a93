"""Whom the names in files stand for: nobody's votes are given in their name. On both databases."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib import admin
from django.test import RequestFactory

from tasks.adjudication.workflow import adjudicate
from tasks.campaigns.workflow.campaign import (
    NamedPeople,
    add_member,
    create_campaign,
    pseudonym_of_import,
    spelled,
)
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.ratings import RatingIntake, import_ratings
from tasks.models import Adjudication, Campaign, Membership, Rating, User
from tasks.storing.plan import Plan
from tests.tasks.conftest import (
    EQUIVALENT,
    MakeCampaign,
    MakeMember,
    item_row,
    rate_next,
    rating_row,
)
from tomahto.interchange.reading.records import AdjudicationRow, GivenAnswer, InputError, Source

ANSWERS = {"q1": False, "q2": True}

Import = Callable[[Campaign, str], Any]


def import_votes(campaign: Campaign, name: str) -> RatingIntake:
    rows = [rating_row(1, "ben", "equivalent"), rating_row(2, name, "equivalent")]
    return import_ratings(campaign=campaign, rows=rows)


def decision(number: int, name: str, label: str = "equivalent") -> AdjudicationRow:
    source = Source("decisions.jsonl", number)
    return AdjudicationRow(source, f"item-{number}", name, GivenAnswer(label))


def import_decisions(campaign: Campaign, name: str) -> Any:
    rows = [decision(1, "ben"), decision(2, name)]
    return import_adjudications(campaign=campaign, rows=rows)


def stored(campaign: Campaign) -> tuple[list[Any], ...]:
    return (
        list(Membership.objects.filter(campaign=campaign).order_by("pk").values()),
        list(Rating.objects.order_by("pk").values()),
        list(Adjudication.objects.order_by("pk").values()),
    )


@pytest.mark.parametrize(
    ("bring", "field"), [(import_votes, "rater"), (import_decisions, "adjudicator")]
)
@pytest.mark.parametrize(
    "name",
    [
        "alice",
        "Alice",
        "ａｌｉｃｅ",
        " alice\u00a0",
        "al\u200di\u200bce",
        "alice (2)",
        "ALICE  (2)",
        "alice\u180f",
        "alice\U0001bca0",
        "alice\U00016fe4",
        "ali\u0600ce",
        "alice\ue000",
    ],
)
@pytest.mark.parametrize("is_active", [True, False])
def test_nobody_with_an_account_is_given_votes_by_a_file(
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    bring: Import,
    field: str,
    name: str,
    is_active: bool,
) -> None:
    campaign = make_campaign()
    alice = make_member(campaign, "alice")
    Membership.objects.filter(pk=alice.pk).update(name="alice (2)", is_active=is_active)
    before = stored(campaign)
    with pytest.raises(InputError) as caught:
        bring(campaign, name)
    assert str(caught.value).endswith(
        f", line 2, field {field}: {name!r} is a member with an account: only their own ratings in "
        "this campaign can be imported"
    )
    assert stored(campaign) == before


@pytest.mark.parametrize("bring", [import_votes, import_decisions])
@pytest.mark.parametrize(
    "change",
    [str, str.upper, lambda name: name.replace("-", "\u2011")],
    ids=["same", "upper", "hyphen"],
)
def test_pseudonyms_of_people_with_accounts_are_refused_too(
    make_campaign: MakeCampaign,
    make_member: MakeMember,
    bring: Import,
    change: Callable[[str], str],
) -> None:
    campaign = make_campaign()
    alice = make_member(campaign, "alice")
    before = stored(campaign)
    with pytest.raises(InputError, match="is a member with an account"):
        bring(campaign, change(alice.pseudonym))
    assert stored(campaign) == before


def test_members_of_other_campaigns_are_nobody_here(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    # whoever learnt otherwise could ask which accounts a site has
    campaign = make_campaign()
    make_member(make_campaign(), "alice")
    assert import_votes(campaign, "alice").ratings_created == 2


@pytest.mark.parametrize("who", ["name", "pseudonym"])
def test_what_people_have_said_may_be_told_again(
    make_campaign: MakeCampaign, make_member: MakeMember, who: str
) -> None:
    campaign = make_campaign(items=1, adjudicates_blind=False)
    alice = make_member(campaign, "alice")
    rate_next(alice)
    oak = make_member(campaign, "oak", "researcher")
    item = campaign.items.get()
    adjudicate(item=item, adjudicator=oak, answers=EQUIVALENT, reason="So.", idempotency_key="k")
    before = stored(campaign)
    vote = rating_row(1, getattr(alice, who), answers=ANSWERS)
    for row in (vote, replace(vote, counted=True, seconds=5.0)):
        assert import_ratings(campaign=campaign, rows=[row]) == RatingIntake(0, 1, 1, 0)
    decided = import_adjudications(campaign=campaign, rows=[decision(1, getattr(oak, who))])
    assert decided.adjudications_existing == 1
    assert stored(campaign) == before
    for other in (
        replace(vote, answers={"q1": True}),
        replace(vote, comment="No."),
        replace(vote, counted=False),
    ):
        with pytest.raises(InputError, match=r"field rater: .* is a member with an account"):
            import_ratings(campaign=campaign, rows=[other])
    with pytest.raises(InputError, match=r"field adjudicator: .* is a member with an account"):
        import_adjudications(
            campaign=campaign, rows=[decision(1, getattr(oak, who), "not-equivalent")]
        )
    assert stored(campaign) == before


def test_imported_raters_go_on_when_somebody_of_their_name_has_come(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign()
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    imported = campaign.memberships.get()
    ann = make_member(campaign, "ann")
    assert ann.name == "ann (2)"
    import_ratings(campaign=campaign, rows=[rating_row(2, "ann", "equivalent")])
    assert set(Rating.objects.values_list("rater", flat=True)) == {imported.pk}
    for name in ("Ann", "ann (2)"):
        with pytest.raises(InputError, match="is a member with an account"):
            import_ratings(campaign=campaign, rows=[rating_row(3, name, "equivalent")])


@pytest.mark.parametrize("name", ["Ann", "ａｎｎ"])
def test_who_comes_later_is_not_called_like_an_imported_rater(
    make_campaign: MakeCampaign, name: str
) -> None:
    campaign = make_campaign()
    import_ratings(campaign=campaign, rows=[rating_row(1, name, "equivalent")])
    user = User.objects.create_user("ann")
    assert add_member(campaign=campaign, user=user, role="rater").name == "ann (2)"


def test_names_are_alike_that_differ_in_case_width_and_blanks_alone() -> None:
    assert {spelled(name) for name in ("Straße", "STRASSE", " ｓｔｒａｓｓｅ\u200b")} == {"strasse"}
    assert spelled("Ann  Lee") != spelled("annlee")


def test_pseudonyms_are_keyed_by_the_secret() -> None:
    # base32 of HMAC-SHA-256 of "rater ann" by the key "secret", its first ten characters (openssl)
    assert pseudonym_of_import("secret", "ann") == "r-ffurjftahd"
    assert pseudonym_of_import("another", "ann") != "r-ffurjftahd"
    assert pseudonym_of_import("another", "r-ffurjftahd") == "r-ffurjftahd"
    # nobody is named by the place of a rating: base32 of SHA-256 of "rater ae-1"
    assert pseudonym_of_import("secret", "ae-1") == "r-7qsaa2iwgx"


def test_every_campaign_has_pseudonyms_of_its_own(db: None) -> None:
    given = set()
    for slug in ("rivers", "lakes"):
        campaign = create_campaign(slug=slug, protocol="ae", overlap=1)
        items = [rating_row(1, name, "equivalent", item=item_row(1)) for name in ("ann", "ben")]
        for _again in range(2):
            import_ratings(campaign=campaign, rows=items)
        given |= {member.pseudonym for member in campaign.memberships.all()}
    assert len(given) == 4


def test_campaigns_of_the_code_of_before_get_one_secret(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(pseudonym_secret="")
    one, other = Plan(campaign), Plan(campaign)
    with one, other:  # both know of none
        assert (one.campaign.pseudonym_secret, other.campaign.pseudonym_secret) == ("", "")
        for plan in (one, other):
            NamedPeople(plan)
        campaign.refresh_from_db()
        assert len(campaign.pseudonym_secret) == 64
        assert one.campaign.pseudonym_secret == campaign.pseudonym_secret
        assert other.campaign.pseudonym_secret == campaign.pseudonym_secret


@pytest.mark.filterwarnings("ignore:The default scheme")  # of Django's form for addresses
def test_operators_do_not_see_the_secret(make_campaign: MakeCampaign, rf: RequestFactory) -> None:
    campaign = make_campaign()
    request = rf.get("/")
    request.user = User(is_superuser=True)
    shown = admin.site.get_model_admin(Campaign).get_fieldsets(request, campaign)
    fields = {field for _title, options in shown for field in options["fields"]}
    assert "completion_code" in fields
    assert "pseudonym_secret" not in fields
    assert campaign.pseudonym_secret not in str(campaign) + repr(campaign)


def test_members_who_are_there_keep_their_pseudonyms(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign()
    known = Membership.objects.create(campaign=campaign, name="ann", pseudonym="r-ofbefore23")
    import_votes(campaign, "ann")
    assert campaign.memberships.get(name="ann") == known
    released = rating_row(3, known.pseudonym, "equivalent")
    import_ratings(campaign=campaign, rows=[released])
    assert known.ratings.count() == 2
