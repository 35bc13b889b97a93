"""Of a campaign half rated, every place that gives a figure gives the same."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tasks.agreement.figures.more_figures import more_figures
from tasks.agreement.figures.systems_figures import systems_figures
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Candidate
from tasks.votes.shared_items import system_answers
from tests.sampling import some_of
from tests.tasks.conftest import item_row, rating_row
from tests.tasks.management.conftest import Evaluate, Manage, evaluate, manage
from tests.tasks.management.reproduction import FEW, ours
from tests.tasks.management.reproduction import figures as cells_of_paper
from tests.tasks.whole.accuracies import evaluation, everywhere, on_the_page, published
from tests.tasks.whole.half_rated import SYSTEMS, half_rated, without_systems
from tests.tomahto.lab.sections import cells_of, number
from tomahto.interchange.reading.records import AdjudicationRow, GivenAnswer, Source
from tomahto.lab.benchmark import EVERYTHING, benchmark_of, question_ids
from tomahto.lab.leaderboard import score_submission
from tomahto.ranking.system_answers import EMPTY, EXACT, TO_BE_RATED
from tomahto.releases.dataset.labels import LABEL_CHOICES
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release
from tomahto.scoring.squad import SquadQuestion, SquadV1, squad_v1
from tomahto.text.normalisation import is_empty

pytestmark = pytest.mark.slow

__all__ = ["evaluate", "manage"]

_IN_PAPERS = {"bidaf": "BiDAF", "luke": "Luke", "xlnet": "XLNet"}
Texts = Mapping[str, str]  # the answers of a system by question


@pytest.fixture(params=some_of(range(20), 2))
def seed(request: pytest.FixtureRequest) -> int:
    return int(request.param)


def answers_of(campaign: Campaign, system: str) -> Texts:
    """To the questions that have a right answer."""
    given = Candidate.objects.filter(system__campaign=campaign, system__name=system)
    rows = given.exclude(question__references=[]).values_list("question__key", "text")
    return dict(rows)


def squad_values(campaign: Campaign, answers: Texts) -> SquadV1:
    asked = campaign.questions.filter(key__in=answers).order_by("key")
    questions = [SquadQuestion(each.key, tuple(each.references)) for each in asked]
    return squad_v1(questions, answers)


def test_agreement_and_accuracy_have_one_value_each(
    manage: Manage, tmp_path: Path, seed: int
) -> None:
    campaign = half_rated(seed)
    labels = LABEL_CHOICES[-1 - seed % len(LABEL_CHOICES)]
    release = published(campaign, tmp_path / "release", labels=labels)
    assert verify_release(release.folder) == []
    agreement = json.loads((release.folder / "agreement.json").read_bytes())["whole"]
    assert manage.json("agreement", campaign.slug) == agreement
    page, places = on_the_page(campaign), everywhere(campaign, release, manage)
    assert places == dict.fromkeys(places, page)


def test_statements_are_counted_and_have_no_accuracy(db: None, tmp_path: Path, seed: int) -> None:
    campaign = half_rated(seed, protocol="statement")
    release = published(campaign, tmp_path / "release")
    statistics = json.loads((release.folder / "statistics.json").read_bytes())
    page = systems_figures(campaign)
    counts = [
        {name: row[name] for name in row.keys() - {"items", "unrated_items"}}
        for row in page["systems"]
    ]
    assert counts == [
        {name: row[name] for name in row.keys() - {"answers"}} for row in statistics["systems"]
    ]
    assert all("accuracy" not in row for row in counts)
    powered = more_figures(campaign)["prediction_powered"]
    assert (page["differences"], powered["systems"]) == ([], [])


def nearly_tied() -> Campaign:
    """Dawid and Skene's model brings the items that one rater alone has seen to one half each, up
    to what holds. What an adjudicator decided is not rated."""
    campaign = create_campaign(slug="nearly-tied", protocol="cap", overlap=3)
    import_items(campaign=campaign, rows=[item_row(number) for number in range(25)])
    votes = ["eee", "eei", "iie", "iii", *["  e", "  i"] * 10]
    labels = {"e": "exact", "i": "invalid"}
    ratings = [
        rating_row(number, rater, labels[vote])
        for number, given in enumerate(votes)
        for rater, vote in zip("abc", given, strict=True)
        if vote in labels
    ]
    import_ratings(campaign=campaign, rows=ratings)
    decided = AdjudicationRow(Source("d.jsonl", 1), "item-24", "oak", GivenAnswer("exact"))
    import_adjudications(campaign=campaign, rows=[decided])
    return campaign


def test_equally_probable_labels_are_ties_in_every_report(db: None, tmp_path: Path) -> None:
    check_sources_of_labels(nearly_tied(), tmp_path)


def test_sources_of_labels_are_those_of_the_release(db: None, tmp_path: Path, seed: int) -> None:
    check_sources_of_labels(half_rated(seed, protocol="cap"), tmp_path)


def check_sources_of_labels(campaign: Campaign, tmp_path: Path) -> None:
    release = published(campaign, tmp_path / "release", labels="adjudicated")
    chosen = ("label_sources",)
    live, released = (
        [
            (table.key, table.rows)
            for table in evaluation(campaign, version, chosen).sections[0].tables
        ]
        for version in (None, release.version)
    )
    assert live == released


def test_answers_are_counted_alike(db: None, tmp_path: Path, seed: int) -> None:
    campaign = half_rated(seed)
    release = published(campaign, tmp_path / "release")
    statistics = json.loads((release.folder / "statistics.json").read_bytes())
    texts = {system: answers_of(campaign, system) for system in SYSTEMS}
    candidates = Candidate.objects.filter(system__campaign=campaign)
    exact = Counter(candidates.filter(is_exact_match=True).values_list("system__name", flat=True))
    counts = {
        system: {
            "exact_matches": exact[system],
            "empty_answers": sum(map(is_empty, given.values())),
            "candidates": len(given),
        }
        for system, given in texts.items()
    }
    for rows in (systems_figures(campaign)["systems"], statistics["systems"]):
        assert {
            row["system"]: {name: row[name] for name in counts["luke"]} for row in rows
        } == counts
    assert statistics["answers"]["total"]["exact"] == exact.total()


def test_overlap_with_references_has_one_value_each(
    db: None, evaluate: Evaluate, tmp_path: Path, seed: int
) -> None:
    campaign = half_rated(seed)
    release = published(campaign, tmp_path / "release")
    (section,) = (
        each for each in evaluation(campaign, release.version).sections if each.key == "systems"
    )
    of_system = {row["system"]: row for row in cells_of(section, "systems")}
    wanted = {each: squad_values(campaign, answers_of(campaign, each)) for each in SYSTEMS}
    papers = cells_of_paper(evaluate.json("reproduce", "bulian", release.folder, *FEW))
    for system, squad in wanted.items():
        name, cells = _IN_PAPERS[system], of_system[system]
        both = pytest.approx((squad.exact_match, squad.f1), abs=1e-11)
        assert tuple(ours(papers, "Tab. 6", row, name) for row in ("EM", "F1")) == both
        assert tuple(100 * number(cells[key]) for key in ("em", "f1 mean score")) == both


def test_overlap_on_the_leaderboard_is_with_all_references(
    db: None, tmp_path: Path, seed: int
) -> None:
    campaign = half_rated(seed)
    release = published(campaign, tmp_path / "release")
    benchmark = benchmark_of(read_release(release.folder), EVERYTHING)
    for system in SYSTEMS:
        answers = {
            key: text for key, text in answers_of(campaign, system).items() if key in benchmark.ids
        }
        scores = score_submission(benchmark, answers, []).scores
        seen = {key: text for key, text in answers.items() if not is_empty(text)}
        found = [100 * scores[name].sum() / len(seen) for name in ("em", "f1")]
        squad = squad_values(campaign, seen)
        assert found == pytest.approx([squad.exact_match, squad.f1])


def test_references_are_known_of_items_without_systems(db: None, tmp_path: Path, seed: int) -> None:
    campaign = half_rated(seed)
    bare = without_systems(campaign)
    found = {
        each.slug: benchmark_of(
            read_release(published(each, tmp_path / each.slug).folder), EVERYTHING
        )
        for each in (campaign, bare)
    }
    systems, items = (
        {each.id: {*each.references} for each in benchmark.questions}
        for benchmark in (found[campaign.slug], found[bare.slug])
    )
    assert items == systems
    assert question_ids(tmp_path / bare.slug, EVERYTHING) == items.keys()


def test_a_submission_of_a_systems_answers_is_settled_as_the_systems_are(
    db: None, tmp_path: Path, seed: int
) -> None:
    """But for answers that are accepted beside one reference while another is not rated: open to
    an estimate, and right to a leaderboard, whose shares are bounds."""
    campaign = half_rated(seed)
    release = published(campaign, tmp_path / "release")
    benchmark = benchmark_of(read_release(release.folder), EVERYTHING)
    asked = dict(campaign.questions.filter(key__in=benchmark.ids).values_list("key", "pk"))
    for system in system_answers(campaign):
        answers = {
            key: text for key, text in answers_of(campaign, system.system).items() if key in asked
        }
        settled = score_submission(benchmark, answers, []).settled
        kinds = Counter(system.kind(pk) for pk in asked.values())
        values = Counter(
            system.value(pk) for pk in asked.values() if system.kind(pk) == TO_BE_RATED
        )
        assert (settled.exact, settled.blank) == (kinds[EXACT], kinds[EMPTY])
        assert (settled.judged_wrong, settled.missing) == (values[0.0], 0)
        assert settled.judged_right >= values[1.0]
        assert settled.judged_right + settled.open == values[1.0] + values[None]


def test_people_of_bulian_et_al_are_those_of_the_page_where_nothing_is_tied(
    db: None, evaluate: Evaluate, tmp_path: Path, seed: int
) -> None:
    campaign = half_rated(seed, has_ties=False)
    release = published(campaign, tmp_path / "release")
    page = {
        row["system"]: row["accuracy"]["with_exact_matches"]
        for row in systems_figures(campaign)["systems"]
    }
    papers = cells_of_paper(evaluate.json("reproduce", "bulian", release.folder, *FEW))
    for system, name in _IN_PAPERS.items():
        found = papers["Tab. 6", "Human", name]["ours"]
        assert found["value"] == pytest.approx(100 * page[system]["value"])
        assert found["n"] == page[system]["n"]
