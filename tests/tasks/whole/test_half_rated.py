"""Of a campaign half rated, every place that gives a figure gives the same."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tasks.agreement.figures.systems_figures import systems_figures
from tasks.models import Campaign, Candidate
from tasks.votes.system_answers import system_answers
from tests.extent import some_of
from tests.tasks.management.conftest import Evaluate, Manage, evaluate, manage
from tests.tasks.management.reproduction import FEW, ours
from tests.tasks.management.reproduction import figures as cells_of_paper
from tests.tasks.whole.accuracies import evaluation, everywhere, on_the_page, published
from tests.tasks.whole.half_rated import SYSTEMS, half_rated, without_systems
from tests.tomahto.lab.sections import cells_of, number
from tomahto.lab.leaderboards.benchmark import EVERYTHING, benchmark_of, question_ids
from tomahto.lab.leaderboards.leaderboard import score_submission
from tomahto.ranking.system_answers import EMPTY, EXACT, TO_BE_RATED
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release
from tomahto.scoring.squad_v1 import SquadV1, squad_v1
from tomahto.scoring.squad_v2 import SquadQuestion
from tomahto.text.normalisation import best_overlap, exact_match
from tomahto.text.same_answer import is_empty

pytestmark = pytest.mark.slow

__all__ = ["evaluate", "manage"]

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
    release = published(campaign, tmp_path / "release")
    assert verify_release(release.folder) == []
    agreement = json.loads((release.folder / "agreement.json").read_bytes())["whole"]
    assert manage.json("agreement", campaign.slug) == agreement
    page, places = on_the_page(campaign), everywhere(campaign, release, manage)
    assert places == dict.fromkeys(places, page)


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
    papers = cells_of_paper(evaluate.json("reproduce", "bulian", release.folder, *FEW))
    (section,) = (
        each for each in evaluation(campaign, release.version).sections if each.key == "systems"
    )
    of_system = {row["system"]: row for row in cells_of(section, "systems")}
    for system, name in {"bidaf": "BiDAF", "luke": "Luke", "xlnet": "XLNet"}.items():
        answers = answers_of(campaign, system)
        squad = squad_values(campaign, answers)
        wanted = pytest.approx((squad.exact_match, squad.f1), abs=1e-11)
        assert tuple(ours(papers, "Tab. 6", row, name) for row in ("EM", "F1")) == wanted
        cells = of_system[system]
        assert tuple(100 * number(cells[key]) for key in ("em", "f1 mean score")) == wanted


def test_overlap_on_the_leaderboard_is_with_all_references(
    db: None, tmp_path: Path, seed: int
) -> None:
    campaign = half_rated(seed)
    release = published(campaign, tmp_path / "release")
    benchmark = benchmark_of(read_release(release.folder), EVERYTHING)
    asked = dict(campaign.questions.values_list("key", "references"))
    for system in SYSTEMS:
        answers = {
            key: text for key, text in answers_of(campaign, system).items() if key in benchmark.ids
        }
        seen = [(text, asked[key]) for key, text in answers.items() if not is_empty(text)]
        sums = {
            "em": sum(exact_match(*one) for one in seen),
            "f1": sum(best_overlap(*one).f1 for one in seen),
        }
        scores = score_submission(benchmark, answers, []).scores
        assert {name: scores[name].sum() for name in sums} == pytest.approx(sums)


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
    papers = cells_of_paper(evaluate.json("reproduce", "bulian", release.folder, *FEW))
    page = {
        row["system"]: row["accuracy"]["with_exact_matches"]
        for row in systems_figures(campaign)["systems"]
    }
    for system, name in {"bidaf": "BiDAF", "luke": "Luke", "xlnet": "XLNet"}.items():
        found = papers["Tab. 6", "Human", name]["ours"]
        assert found["value"] == pytest.approx(100 * page[system]["value"])
        assert found["n"] == page[system]["n"]
