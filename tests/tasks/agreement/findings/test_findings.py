"""The looks find what is planted in a campaign, and nothing in a clean one."""

from collections import Counter

import pytest

from tasks.agreement.figures.suggestion_figures import Chance
from tasks.agreement.workflow.alerts import FIRST_AT, GROWS_BY, LEVEL, look_if_due, raise_after_look
from tasks.models import Campaign, Look
from tasks.protocols import get_protocol
from tasks.votes.ratings import counted_ratings
from tests.factories import make_campaign
from tests.simulations import Faults, Simulation, simulate, store
from tomahto.raters.checks import control_accuracies, speeds
from tomahto.raters.confused_class import confusions
from tomahto.raters.drift import drift, level_of_look
from tomahto.votes.patterns import VotePatterns

pytestmark = pytest.mark.slow


CAMPAIGNS = 200
PLANTED = {
    "drift": Faults(drifter=2),
    "speed": Faults(rusher=1),
    "controls": Faults(careless=3),
    "confusions": Faults(confused=(1, 2)),
}


def sizes_of_looks(ratings: int) -> list[int]:
    sizes = [FIRST_AT]
    while (larger := round(sizes[-1] * GROWS_BY)) <= ratings:
        sizes.append(larger)
    return sizes


def alarms(simulation: Simulation, chance: Chance) -> set[str]:
    """The tests of one look that find anything; the same functions as those of the looks."""
    rows, level = simulation.rows, chance.level
    drifts = drift(rows, bootstrap=chance.draws, level=level)
    paces = speeds(rows, simulation.seconds, bootstrap=chance.draws, level=level)
    accuracies = control_accuracies(simulation.control_answers(), level=level)
    scheme = get_protocol(simulation.protocol).scheme
    patterns = VotePatterns(scheme, Counter(map(tuple, rows.counts.tolist())))
    confused = confusions(patterns, bootstrap=chance.draws, level=level)
    found = {
        "drift": any(one.verdict in ("declines", "improves") for one in drifts),
        "speed": any(one.verdict in ("fast", "slow") for one in paces),
        "controls": any(one.verdict == "low" for one in accuracies),
        "confusions": any(one.is_confused for one in (*confused.labels, *confused.pairs)),
    }
    return {name for name, is_found in found.items() if is_found}


def alarms_of_all_looks(simulation: Simulation, seed: int) -> set[str]:
    sizes = enumerate(sizes_of_looks(simulation.rows.n), start=1)
    return {
        alarm
        for look, size in sizes
        for alarm in alarms(simulation.until(size), Chance(level_of_look(look, level=LEVEL), seed))
    }


@pytest.fixture
def _few_replicates(monkeypatch: pytest.MonkeyPatch) -> None:
    """The intervals beside a finding take time and decide nothing."""
    monkeypatch.setattr("tomahto.raters.confused_class.INTERVAL_REPLICATES", 20)


@pytest.mark.thorough
@pytest.mark.usefixtures("_few_replicates")
def test_all_looks_at_clean_campaigns_raise_an_alarm_in_5_of_100_at_most() -> None:
    """Seven looks, four tests each; any alarm of any of them counts."""
    assert len(sizes_of_looks(1200)) == 7
    found = [alarms_of_all_looks(simulate(seed), seed) for seed in range(CAMPAIGNS)]
    assert sum(map(bool, found)) <= 0.05 * CAMPAIGNS


@pytest.mark.thorough
@pytest.mark.usefixtures("_few_replicates")
@pytest.mark.parametrize("test", PLANTED)
def test_looks_find_what_is_planted(test: str) -> None:
    found = Counter(
        alarm
        for seed in range(10)
        for alarm in alarms_of_all_looks(simulate(seed, faults=PLANTED[test]), seed)
    )
    assert found[test] >= 9
    # what is found beside it is chance, or follows from it
    assert all(number <= 1 for name, number in found.items() if name != test)


def test_a_look_names_who_and_what_is_wrong(db: None) -> None:
    faults = Faults(drifter=2, rusher=4, careless=5, confused=(1, 2))
    campaign = store(simulate(7, raters=7, items=500, faults=faults), "faulty")
    look = look_if_due(campaign=campaign, ratings=counted_ratings(campaign).count())
    assert look is not None
    found = Look.objects.get(pk=look.pk).as_json()["findings"]
    assert _verdicts(found["drift"], ("steady", "too-few")) == {"rater-02": "declines"}
    assert _verdicts(found["speed"], ("usual",)) == {"rater-04": "fast"}
    assert _verdicts(found["controls"], ("usual",)) == {"rater-05": "low"}
    assert [one["labels"] for one in found["confusions"]["pairs"] if one["is_confused"]] == [
        ["syntactic", "semantic"]
    ]
    alerts = [(str(alert.kind), alert.subject) for alert in raise_after_look(look=look)]
    assert sorted(alerts) == [
        ("alpha", ""),
        ("confusion", "semantic"),
        ("confusion", "syntactic / semantic"),
        ("controls", "rater-05"),
        ("drift", "rater-02"),
        ("speed", "rater-04"),
    ]


def test_a_look_at_a_clean_campaign_names_nobody(db: None) -> None:
    campaign = store(simulate(8, items=200), "clean")
    look = look_if_due(campaign=campaign, ratings=counted_ratings(campaign).count())
    assert look is not None
    found = look.as_json()["findings"]
    for test in ("drift", "speed", "controls"):
        assert len(found[test]["raters"]) == 6
        assert _verdicts(found[test], ("steady", "usual", "too-few")) == {}
    assert not any(one["is_confused"] for one in found["confusions"]["pairs"])


def test_a_look_at_a_campaign_without_votes_finds_nothing(db: None) -> None:
    campaign: Campaign = make_campaign()
    look = look_if_due(campaign=campaign, ratings=FIRST_AT)
    assert look is not None
    found = look.as_json()["findings"]
    assert [found[test]["raters"] for test in ("drift", "speed", "controls")] == [[], [], []]
    assert found["confusions"]["reason"] == "no item has two ratings"


def _verdicts(found: dict[str, list[dict[str, str]]], usual: tuple[str, ...]) -> dict[str, str]:
    return {one["rater"]: one["verdict"] for one in found["raters"] if one["verdict"] not in usual}
