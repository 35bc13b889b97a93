"""The page Agreement: its sentences on planted campaigns, and its numbers."""

import json
import re
from html import unescape
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.core.management import call_command
from django.urls import reverse

from tasks.agreement.findings import alpha_rule, rules_of
from tasks.agreement.shown.verdict import verdict_of
from tasks.agreement.workflow import assessment as stage
from tasks.agreement.workflow.assessment import assess
from tasks.models import AlertKind, Campaign, ItemSystem, Membership, SeenVotes, System
from tasks.people.queries import names_of_raters
from tasks.rating.workflow.assignment import claim_item
from tasks.web.number_texts import count, decimals, percent
from tests.factories import make_item, make_member
from tests.simulations import Faults, simulate, store
from tests.tasks.browsers import signed_in, text

pytestmark = pytest.mark.slow

NOTHING = "Nothing that was compared ("


def page(member: Membership, query: str = "") -> str:
    return text(signed_in(member), reverse("agreement", args=[member.campaign.slug]) + query)


def verdict(html: str) -> str:
    found = re.search(r'<p class="verdict">(.*?)</p>', html, re.S)
    assert found
    return unescape(" ".join(re.sub("<[^>]+>", "", found[1]).split()))


def figures(campaign: Campaign, name: str, capsys: pytest.CaptureFixture[str], *more: str) -> Any:
    """As the command prints them."""
    call_command("figures", campaign.slug, name, *more, "--json")
    return json.loads(capsys.readouterr().out)


def shown(html: str, key: str) -> list[list[tuple[str, str | None]]]:
    """The rows of the table behind a picture: the text of each cell, and its number."""
    found = re.search(rf'<table id="{key}-table"[^>]*>.*?<tbody>(.*?)</tbody>', html, re.S)
    assert found
    rows = re.findall(r"<tr>(.*?)</tr>", found[1], re.S)
    cell = re.compile(r"<t[hd]([^>]*)>(.*?)</t[hd]>", re.S)
    return [
        [
            (
                unescape(" ".join(re.sub("<[^>]+>", "", content).split())),
                (value := re.search(r'data-value="([^"]*)"', tag)) and value[1],
            )
            for tag, content in cell.findall(row)
        ]
        for row in rows
    ]


def pictures(html: str) -> dict[str, ET.Element]:
    """By the titles of the pictures."""
    drawn = re.findall(r'<svg class="picture".*?</svg>', html, re.S)
    found = [ET.fromstring(svg) for svg in drawn]  # noqa: S314 - our own
    return {svg.attrib["aria-label"]: svg for svg in found}


def planted(faults: Faults, *, protocol: str = "cap", is_guided: bool = False) -> Membership:
    simulation = simulate(5, items=200, protocol=protocol, faults=faults)
    return make_member(store(simulation, "planted", is_guided=is_guided), "admin")


# --- The sentences ---


def test_a_careless_rater_is_named_with_what_they_take(db: None, capsys: Any) -> None:
    admin = planted(Faults(drifter=2, since=0))
    said = verdict(page(admin))
    worst = figures(admin.campaign, "alpha", capsys)["without_raters"][0]
    gain = worst["gain"]
    assert worst["rater"] == "rater-02"
    assert (
        f"Without rater-02 α would be {decimals(worst['alpha']['value'])}, higher by"
        f" {decimals(gain['value'])} ({decimals(gain['low'])} to {decimals(gain['high'])})."
    ) in said
    assert "are confused" not in said
    assert NOTHING not in said


def test_a_confused_pair_of_labels_is_named_with_what_it_takes(db: None, capsys: Any) -> None:
    admin = planted(Faults(confused=(2, 6)))
    said = verdict(page(admin))
    titles = admin.campaign.annotation_protocol.titles
    pair = figures(admin.campaign, "alpha", capsys)["label_pairs"][0]
    one, other = (titles[label] for label in pair["labels"])
    assert {one, other} == {list(titles.values())[place] for place in (2, 6)}
    assert f"“{one}” and “{other}” are confused: without the difference between them α" in said
    assert f"higher by {decimals(pair['gain']['value'])}" in said
    assert "Without rater" not in said


def test_guidelines_after_which_raters_agree_less_are_named(db: None, capsys: Any) -> None:
    admin = planted(Faults(muddled=True), protocol="statement", is_guided=True)
    said = verdict(page(admin))
    change = figures(admin.campaign, "time", capsys)["versions"][1]["change"]
    assert (
        f"Under version 2 of the guidelines α is lower by {decimals(-change['value'])}"
        f" ({decimals(-change['high'])} to {decimals(-change['low'])}) than under version 1."
    ) in said
    assert "Without rater" not in said


def test_where_nothing_stands_out_it_says_so(db: None) -> None:
    admin = planted(Faults(), protocol="statement", is_guided=True)
    said = f"{NOTHING}raters, pairs of labels, versions of the guidelines) lowers α by 0.01"
    assert said in verdict(page(admin))


def part(value: float | None, low: float | None = None, high: float | None = None) -> Any:
    return {"value": value, "low": low, "high": high, "n": 90, "reason": "none"}


def figures_with(**parts: Any) -> Any:
    """Figures of which the sentences are made, where nothing stands out but these parts."""
    questions = parts.get("questions", {})
    return {
        "agreement": {
            "ratings": 300,
            "alpha": part(0.6, 0.5, 0.7) | {"clusters": 90},
            "questions": {key: {"alpha": alpha} for key, alpha in questions.items()},
        },
        "alpha": {
            "without_raters": [
                {"rater": f"r{place}", "alpha": part(0.7), "gain": gain}
                for place, gain in enumerate(parts.get("gains", []))
            ],
            "label_pairs": [],
        },
        "time": {
            "versions": [
                {"version": version, "change": change}
                for version, change in parts.get("versions", {}).items()
            ]
        },
    }


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        # could not be compared, so nothing is denied
        ({"gains": [part(None), part(None)]}, []),
        ({"gains": [part(0.0)]}, []),
        # is seen to be above 0 in two decimals, or not named
        (
            {"gains": [part(0.02, 0.006, 0.03)]},
            ["Without r0 α would be 0.70, higher by 0.02"],
        ),
        ({"gains": [part(0.02, 0.004, 0.04)]}, [f"{NOTHING}raters)"]),
        ({"gains": [part(0.008, 0.006, 0.01)]}, [f"{NOTHING}raters)"]),
        # the newest fall stays named until raters agree more again
        (
            {"versions": {1: None, 2: part(-0.5, -0.6, -0.4), 3: part(0.0, -0.1, 0.1)}},
            ["Under version 2 of the guidelines α is lower by 0.50 (0.40 to 0.60) than under ver"],
        ),
        (
            {"versions": {2: None, 4: part(-0.5, -0.6, -0.4), None: None}},
            ["Under version 4 of the guidelines α is lower by 0.50 (0.40 to 0.60) than under ver"],
        ),
        (
            {"versions": {1: None, 2: part(-0.5, -0.6, -0.4), 3: part(0.4, 0.3, 0.5)}},
            [f"{NOTHING}versions of the guidelines)"],
        ),
        ({"versions": {1: None, 2: part(-0.3, -0.6, -0.001)}}, [f"{NOTHING}versions of the guid"]),
        # the lowest is named, and only if it is surely below the goal
        (
            {"questions": {"q1": part(0.5, 0.4, 0.6), "q2": part(0.2, 0.1, 0.3)}},
            ["Raters agree least on Q2: there α is 0.200 (0.100 to 0.300)."],
        ),
        (
            {"questions": {"q1": part(0.5, 0.4, 0.6), "q2": part(0.1)}},
            [f"{NOTHING}questions)"],
        ),
    ],
)
def test_only_what_is_sure_is_named_and_only_what_was_compared_denied(
    parts: Any, said: list[str]
) -> None:
    sentences = verdict_of(Campaign(protocol="ae"), figures_with(**parts), 0.667, str)
    assert sentences[0].endswith("it may be above or below the goal of 0.667.")
    assert len(sentences) == 1 + len(said)
    assert [each[: len(start)] for each, start in zip(sentences[1:], said, strict=True)] == said


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        (0.1, "the goal of 0.100 is reached."),
        (0.99, "below the goal of 0.990."),
        (None, "it may be above or below the goal of"),
    ],
)
def test_the_goal_is_compared_with_the_interval(
    db: None, goal: float | None, said: str, capsys: Any
) -> None:
    admin = planted(Faults(), protocol="statement")
    alpha = figures(admin.campaign, "agreement", capsys)["alpha"]
    address = reverse("agreement-goal", args=["planted"])
    wanted = alpha["value"] if goal is None else goal
    assert signed_in(admin).post(address, {"goal": wanted}).status_code == 302
    html = page(admin)
    numbers = " and ".join(decimals(alpha[end], 3) for end in ("low", "high"))
    start = f"Krippendorff’s α is {decimals(alpha['value'], 3)}, between {numbers}: {said}"
    assert verdict(html).startswith(start)
    assert alpha_rule(admin.campaign).threshold == wanted


def test_the_goal_is_set_by_admins_and_leaves_other_rules_alone(db: None) -> None:
    admin = planted(Faults(), protocol="statement")
    before = rules_of(admin.campaign)
    address = reverse("agreement-goal", args=["planted"])
    for wrong in ("2", "nan", ""):
        answer = signed_in(admin).post(address, {"goal": wrong}, follow=True)
        assert "Enter a goal from −1 to 1." in answer.content.decode()
    assert rules_of(admin.campaign) == before
    signed_in(admin).post(address, {"goal": "0.8"})
    changed = [
        rule for rule, old in zip(rules_of(admin.campaign), before, strict=True) if rule != old
    ]
    assert [(rule.kind, rule.threshold) for rule in changed] == [(AlertKind.ALPHA, 0.8)]
    researcher = make_member(admin.campaign, "researcher")
    assert signed_in(researcher).post(address, {"goal": "0.1"}).status_code == 403
    assert "goal-form" not in page(researcher)


def test_few_questions_are_told_to_be_few() -> None:
    few = figures_with()
    few["agreement"]["alpha"]["clusters"] = 4
    sentences = verdict_of(Campaign(protocol="ae"), few, 0.5, str)
    assert sentences[1:] == ["This rests on only 4 questions: interpret it with care."]


# --- The numbers ---


def estimate_row(name: str, estimate: Any, *, as_share: bool = False) -> list[tuple[str, Any]]:
    def number(value: float) -> str:
        return percent(value, 1) if as_share else decimals(value, 3)

    ends = [number(estimate[end]) for end in ("low", "high") if estimate[end] is not None]
    return [
        (name, None),
        (number(estimate["value"]), repr(estimate["value"])),
        (" to ".join(ends), None),
        (count(estimate["n"]), repr(estimate["n"])),
    ]


def test_every_number_of_the_page_is_one_of_the_figures(db: None, capsys: Any) -> None:
    admin = planted(Faults(drifter=2, since=0))
    campaign, titles = admin.campaign, admin.campaign.annotation_protocol.titles
    first, second = System.objects.bulk_create(
        System(campaign=campaign, name=name) for name in ("larch", "rowan")
    )
    items = list(campaign.items.order_by("pk"))
    ItemSystem.objects.bulk_create(
        [ItemSystem(item=item, system=first) for item in items[:100]]
        + [ItemSystem(item=item, system=second) for item in items[50:]]
    )
    html = page(admin)
    call_command("agreement", campaign.slug, "--json")
    report = json.loads(capsys.readouterr().out)
    alpha, classes, time, raters = (
        figures(campaign, name, capsys) for name in ("alpha", "classes", "time", "raters")
    )
    assert shown(html, "intervals") == [
        estimate_row("All labels", report["alpha"]),
        *(estimate_row(each["system"], each["alpha"]) for each in alpha["systems"]),
    ]
    assert shown(html, "kappa") == [
        [
            (" · ".join(pair["raters"]), None),
            (count(pair["items"]), repr(pair["items"])),
            *((decimals(pair[weights], 3), repr(pair[weights])) for weights in WEIGHTS),
        ]
        for pair in report["kappa"]
    ]
    order, table = classes["order"], classes["coincidences"]
    off = sum(map(sum, table)) - sum(table[place][place] for place in range(len(order)))
    assert {row[0][0]: row[1] for row in shown(html, "mixed")} == {
        f"{titles[order[one]]} · {titles[order[other]]}": (
            percent(2 * table[one][other] / off, 1),
            repr(float(row)),
        )
        for one in range(len(order))
        for other in range(one + 1, len(order))
        if (row := 2 * table[one][other] / off)
    }
    assert shown(html, "disagreement") == [
        estimate_row(titles[each["label"]], each["disagreement"], as_share=True)
        for each in classes["labels"]
    ]
    assert [row[1:] for row in shown(html, "time")] == [
        estimate_row("", each["alpha"])[1:] for each in time["periods"]
    ]
    without = {each["rater"]: each for each in alpha["without_raters"]}
    for row, each in zip(shown(html, "raters"), raters["raters"], strict=True):
        name, agreement, _bounds, n, median, alone, gain, _why = row
        assert name[0] == each["rater"]
        assert agreement == (
            percent(each["agreement"]["value"], 1),
            repr(each["agreement"]["value"]),
        )
        assert n[1] == repr(each["agreement"]["n"])
        assert median[1] == repr(each["seconds_median"]["value"])
        pull = without[each["rater"]]
        assert [alone[1], gain[1]] == [repr(pull["alpha"]["value"]), repr(pull["gain"]["value"])]
    seen = {
        words.text for svg in pictures(html).values() for words in svg.iter() if words.tag == "text"
    }
    written = {decimals(pair["quadratic"]) for pair in report["kappa"] if pair["items"] >= 30}
    written |= {decimals(each["alpha"]["value"]) for each in alpha["systems"]}
    assert written <= seen


WEIGHTS = ("unweighted", "linear", "quadratic")


def test_the_page_weighs_little_with_eight_raters_and_eight_labels(db: None) -> None:
    simulation = simulate(5, items=300, raters=8, protocol="cap")
    html = page(make_member(store(simulation, "planted"), "admin"))
    assert len(html.encode()) < 120_000  # 150 kB with the style sheets of the page, uncompressed
    kappa = pictures(html)["Agreement of each pair of raters"]
    assert len([each for each in kappa if each.get("aria-label")]) == 28


# --- Who reads it, and of which ratings ---


def test_raters_are_called_alike_everywhere(db: None) -> None:
    admin = planted(Faults(drifter=2, since=0))
    Membership.objects.filter(pseudonym="rater-02").update(name="Quince")
    html = page(admin)
    assert names_of_raters(admin)["rater-02"] == "Quince"
    assert html.count("Quince") > 6
    seen = re.sub(r'href="[^"]*"', "", html)
    assert "rater-02" not in seen
    for name in ("raters", "rater"):
        address = reverse(name, args=["planted", *(["rater-02"] if name == "rater" else [])])
        assert "Quince" in text(signed_in(admin), address)
    researcher = make_member(admin.campaign, "researcher")
    assert "Quince" not in page(researcher)
    assert "Without rater-02 α would be" in verdict(page(researcher))


def test_filters_live_in_the_address_and_apply_to_all_of_it(db: None, capsys: Any) -> None:
    admin = planted(Faults(), protocol="statement", is_guided=True)
    html = page(admin, "?guideline=2&until=2026-03-02")
    part = ("--guideline", "2", "--until", "2026-03-02")
    own = figures(admin.campaign, "agreement", capsys, *part)
    assert own["ratings"] < figures(admin.campaign, "agreement", capsys)["ratings"]
    assert shown(html, "intervals")[0] == estimate_row("All labels", own["alpha"])
    assert f"{count(own['ratings'])} ratings of {count(own['items'])} items." in html
    assert 'href="?until=2026-03-02"' in html
    assert 'href="?guideline=2"' in html
    alpha = figures(admin.campaign, "alpha", capsys, *part)["without_raters"]
    assert {row[0][0]: row[5][1] for row in shown(html, "raters")} == {
        each["rater"]: repr(each["alpha"]["value"]) for each in alpha
    }


def test_a_filter_that_cannot_be_is_named_and_left_out(db: None) -> None:
    admin = planted(Faults(), protocol="statement")
    html = page(admin, "?system=%3Cb%3Enobody")
    assert "These filters are not possible and were ignored:" in html
    assert "System: there is no &#x27;&lt;b&gt;nobody&#x27;" in html
    assert verdict(html) == verdict(page(admin))
    kept = page(admin, "?since=2026-99-99&source=rated")
    assert "Rated from: " in kept
    assert "Labels from: raters here" in kept
    assert "No ratings match these filters." in kept


def test_a_field_of_mixed_labels_leads_to_its_items(db: None) -> None:
    admin = planted(Faults(confused=(0, 2)))
    html = page(admin)
    mixed = pictures(html)["Confused labels"]
    (link,) = (
        each
        for each in mixed.iter()
        if each.get("aria-label", "").startswith("Exact · Alternative")
    )
    one, other = (admin.campaign.annotation_protocol.scheme.labels[place] for place in (0, 2))
    votes = admin.campaign.items.filter(purpose="live", ratings__outcome__label=one)
    both = votes.filter(ratings__outcome__label=other).distinct().count()
    assert both
    browser = signed_in(admin)
    assert "Show only the votes on these items" in text(browser, link.attrib["href"])
    make_item(admin.campaign)
    assert claim_item(membership=admin)  # who rates has them shown as well
    for narrower in ("system=none", "matcher=f1&order=score"):
        browser.post(f"{link.attrib['href']}&{narrower}", {"both": "yes"})
    assert not SeenVotes.objects.exists()
    browser.post(link.attrib["href"], {"both": "yes"})
    assert f"{both} of 221 items" in text(browser, link.attrib["href"])
    assert SeenVotes.objects.filter(member=admin).count() == both


def test_figures_of_a_part_of_a_large_campaign_are_made_by_a_worker(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    admin = planted(Faults(), protocol="statement", is_guided=True)
    monkeypatch.setattr(stage, "LIVE_RATINGS", 1)
    monkeypatch.setattr(stage, "send_assessment", lambda _campaign: None)
    assert "The figures are being computed." in page(admin, "?guideline=2")
    assess(campaign=admin.campaign)
    assert "The figures are being computed." in page(admin, "?guideline=1")
    html = page(admin, "?guideline=2")
    assert "As of" in html
    assert "300 ratings of" in html


def test_without_ratings_it_says_so(db: None) -> None:
    campaign = store(simulate(1, items=1, overlap=1, controls=0), "planted")
    researcher = make_member(campaign, "researcher")
    assert "Krippendorff’s α is undefined: no item has two ratings." in verdict(page(researcher))
