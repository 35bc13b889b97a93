"""A system is as good on every page, in every table and in every file that says how good it is.

On both databases: the page *Systems*, *How many more?*, a release's table of systems, and reports
on the campaign and on the release.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from tasks.agreement.figures.more_figures import more_figures
from tasks.agreement.figures.systems_figures import bootstrap_of, systems_figures
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.demo.workflow import load_demo
from tasks.evaluations.queries.judged import judged_data_of_campaign
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Item
from tests.sampling import mostly
from tests.tasks.conftest import item_row
from tests.tasks.management.conftest import Manage, manage
from tests.tasks.whole.accuracies import (
    accuracies,
    evaluation,
    everywhere,
    in_how_many_more,
    in_the_release,
    in_the_report,
    on_the_page,
    printed,
    published,
)
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.interchange.reading.records import (
    AdjudicationRow,
    GivenAnswer,
    ItemRow,
    PredictionRecord,
    QuestionRecord,
    RatingRow,
    Source,
)
from tomahto.lab.benchmark import EVERYTHING, benchmark_systems
from tomahto.lab.system_answers import answer_scores, answers_in, people_values
from tomahto.ranking.system_scores import SystemDifferences
from tomahto.releases.dataset.choices import Selection
from tomahto.releases.stored.reading import read_release

pytestmark = pytest.mark.slow


__all__ = ["manage"]

QUESTIONS = 40
SYSTEMS = ("alder", "birch", "cedar")
AT = Source("campaign.jsonl", 1)


def question(number: int) -> QuestionRecord:
    """Two references each; every tenth has no right answer."""
    references = (f"lake {number}", f"the deep pool of {number}") if number % 10 else ()
    return QuestionRecord(
        source=AT,
        key=f"question-{number:02}",
        document=f"document-{number // 4}",
        text=f"{'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN'[number] * 3} {number}?",
        context=f"Passage {number}.",
        references=references,
        answer_starts=(None,) * len(references),
        is_unanswerable=not references,
    )


def answer(system: str, number: int) -> str:
    """An exact one, none at all, one of its own, or one that two systems gave."""
    place = SYSTEMS.index(system)
    kind = (number + place) % (4 + place)
    shared = f"some pool near {number}"
    return (f"The lake {number}.", "", f"pool {place} of {number}", shared, shared, shared)[kind]


def votes_on(item: Item) -> str:
    """Right or wrong by three raters, a tie, or none. The items of one answer differ: with `ae` a
    tie stands beside a refusal, and beside an acceptance."""
    number = int(item.question.key[-2:]) + len(item.candidate) + 2 * (item.reference_index or 0)
    return ("eee", "nnn", "nne", "en", "", "een", "nnn")[number % 7]


def fill(protocol: str) -> Campaign:
    campaign = create_campaign(slug="pools", protocol=protocol, overlap=3)
    import_questions(campaign=campaign, records=map(question, range(QUESTIONS)))
    for system in SYSTEMS:
        records = [
            PredictionRecord(AT, f"question-{n:02}", answer(system, n)) for n in range(QUESTIONS)
        ]
        import_predictions(campaign=campaign, system=system, records=records)
    import_items(campaign=campaign, rows=further_items())
    first = campaign.annotation_protocol.accepted_labels[0]
    labels = {"e": first, "n": campaign.annotation_protocol.scheme.labels[-1]}
    import_ratings(
        campaign=campaign,
        rows=[
            RatingRow(AT, None, item.key, f"rater-{place}", labels[vote])
            for item in campaign.items.filter(purpose="live").select_related("question")
            for place, vote in enumerate(votes_on(item))
        ],
    )
    decided = campaign.items.filter(purpose="live", ratings__isnull=False).distinct()
    import_adjudications(
        campaign=campaign,
        rows=[
            AdjudicationRow(AT, item.key, "oak", GivenAnswer(labels["en"[place % 2]]))
            for place, item in enumerate(decided.order_by("key")[::5])
        ],
    )
    return campaign


def further_items() -> Iterator[ItemRow]:
    """Second texts of a system to two questions, and a text to one without a right answer."""
    for number in (1, 2, 10):
        asked = question(number)
        yield item_row(
            number,
            id=None,
            question_key=asked.key,
            question=asked.text,
            context=asked.context,
            document=asked.document,
            references=asked.references[:1] or ("lake",),
            candidate="a second text",
            systems=("alder",),
        )


@pytest.mark.parametrize(
    "labels", mostly(["majority", "adjudicated", "dawid-skene"], "adjudicated")
)
@pytest.mark.parametrize("protocol", mostly(["ae", "cap", "rules"], "ae"))
def test_every_place_says_the_same_of_a_system(
    db: None, manage: Manage, tmp_path: Path, protocol: str, labels: str
) -> None:
    campaign = fill(protocol)
    release = published(campaign, tmp_path / "release", labels=labels)
    page = on_the_page(campaign)
    systems = systems_figures(campaign)["systems"]
    # what makes it hard is there
    assert all(row["exact_matches"] and row["empty_answers"] for row in systems)
    assert all(row["labels"]["tie"] and row["unrated_items"] for row in systems)
    assert all(row["judged_candidates"] < row["candidates"] for row in systems)
    places = everywhere(campaign, release, manage)
    assert places == dict.fromkeys(places, page)


@pytest.mark.parametrize("protocol", mostly(["ae", "cap", "rules"], "ae"))
def test_the_lab_has_the_differences_of_how_many_more(db: None, protocol: str) -> None:
    campaign = fill(protocol)
    wanted = {
        tuple(each["systems"]): each["estimate"]
        for each in more_figures(campaign)["quantities"]
        if each["kind"] == "difference"
    }
    answers = answers_in(judged_data_of_campaign(campaign))
    scores = answer_scores({"people": people_values(answers)}, answers)
    found = SystemDifferences(scores, bootstrap_of(campaign))
    for number, pair in enumerate([SYSTEMS[:2], SYSTEMS[::2], SYSTEMS[1:]]):
        estimate = found.estimate(number, 0)
        assert estimate.value == pytest.approx(wanted[pair]["value"], abs=1e-12)
        assert estimate.n == wanted[pair]["n"]
        # other draws: questions of all systems here, of the two there
        assert estimate.low == pytest.approx(wanted[pair]["low"], abs=0.04)
        assert estimate.high == pytest.approx(wanted[pair]["high"], abs=0.04)


def test_decisions_of_adjudicators_have_a_column_of_their_own(db: None) -> None:
    campaign = fill("ae")
    own = in_the_report(evaluation(campaign), "people_adjudicated")
    page = on_the_page(campaign)
    assert {name: each["n"] for name, each in own.items()} == {
        "alder": 29,
        "birch": 28,
        "cedar": 25,
    }
    assert {name for name in SYSTEMS if own[name]["value"] != page[name]["value"]} == {
        "alder",
        "cedar",
    }


def test_further_references_are_set_against_the_same_figures(db: None) -> None:
    campaign = fill("cap")
    page = on_the_page(campaign)
    (section,) = (each for each in evaluation(campaign).sections if each.key == "more_references")
    for table in section.tables:
        for row in table.rows:
            people = row[4]
            assert isinstance(people, Estimate)
            assert estimate_as_json(people) == page[str(row[0])]


@pytest.mark.thorough
def test_the_demo_has_one_figure_of_each_system(db: None, manage: Manage, tmp_path: Path) -> None:
    load_demo(settings.BASE_DIR / "demo")
    for slug in ("demo-ae", "demo-cap"):
        campaign = Campaign.objects.get(slug=slug)
        release = published(campaign, tmp_path / slug)
        page = on_the_page(campaign)
        assert len(page) == 3
        assert in_how_many_more(campaign) == page
        assert in_the_release(release) == page
        assert in_the_report(evaluation(campaign)) == page
        assert in_the_report(printed(manage, release.folder, campaign.seed)) == page


def test_a_selection_changes_the_releases_figures_alike(
    db: None, manage: Manage, tmp_path: Path
) -> None:
    campaign = fill("cap")
    item = campaign.items.filter(question__key="question-21", candidate="pool 1 of 21").get()
    control = item_row(
        1,
        id="gold",
        purpose="control",
        expected=GivenAnswer(campaign.annotation_protocol.accepted_labels[0]),
        question=item.question.text,
        context=item.question.context,
        references=tuple(item.references),
        candidate=item.candidate,
        systems=(),
        document=item.question.document.key,
        question_key=item.question.key,
    )
    import_items(campaign=campaign, rows=[control])
    chosen = Selection(without_controls=True)
    release = published(campaign, tmp_path / "release", selection=chosen)
    found = in_the_release(release)
    assert found != on_the_page(campaign)
    assert in_the_report(printed(manage, release.folder, campaign.seed)) == found
    assert in_the_report(evaluation(campaign, "1.0.0")) == found
    on_the_leaderboard = benchmark_systems(read_release(release.folder), EVERYTHING)
    assert accuracies(on_the_leaderboard) == found
