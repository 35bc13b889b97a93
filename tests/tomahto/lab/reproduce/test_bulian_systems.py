"""Tab. 6 and 7 of Bulian et al. where the files hold more than answers that people rated once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.lab.reproduce.ae_files import AeFiles, RatedPair, RatedPairs
from tomahto.lab.reproduce.bulian_systems import system_cells
from tomahto.lab.reproduce.comparison import computed
from tomahto.matching.interface import Matcher, Pair
from tomahto.scoring.squad import SquadQuestion
from tomahto.text.normalisation import ExactRule


class Unsure:
    """Finds everything just right enough, and is tuned to want more."""

    name, version, threshold = "bem", "1", 0.9

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        return [0.6] * len(pairs)


def rated(question: str, candidate: str, equivalent: int, *, of: int = 1) -> RatedPair:
    return RatedPair(question, "Who?", "A passage.", "Ada", candidate, equivalent, of)


def values(answers: dict[str, str], *pairs: RatedPair) -> dict[tuple[str, str], float | None]:
    """Of Luke, whose answers are to questions that Ada is the answer to."""
    matchers: dict[str, Matcher] = {"bem": Unsure()}
    given = AeFiles(
        {"luke": RatedPairs(pairs)},
        matchers,
        Bootstrap(seed=0, replicates=10),
        squad={key: SquadQuestion(key, ("Ada",)) for key in answers},
        texts=dict.fromkeys(answers, ("Who?", "A passage.")),
        predictions={"luke": answers},
    )
    return {
        (row, column): estimate.value
        for (_, row, column), estimate in computed(system_cells(given)).items()
        if "Luke" in (row, column)
    }


def test_exact_answers_that_are_rated_are_right_to_all_but_people() -> None:
    # a is exact and rated as not equivalent, b is neither exact nor equivalent
    found = values(
        {"a": "the Ada", "b": "Ada and Eve"}, rated("a", "the Ada", 0), rated("b", "Ada and Eve", 0)
    )
    assert (found["EM", "Luke"], found["BEM", "Luke"]) == (0.5, 1.0)
    assert found["F1", "Luke"] == pytest.approx((1 + 1 / 2) / 2)
    assert found["Human", "Luke"] == 0.0


def test_empty_answers_that_nobody_rated_are_wrong() -> None:
    # of three answers one is exact, one is equivalent, one is empty
    found = values({"a": "Ada", "b": "she", "c": " "}, rated("b", "she", 1))
    metrics = {metric: found[metric, "Luke"] for metric in ("EM", "F1", "BEM", "Human")}
    assert metrics == {
        "EM": pytest.approx(1 / 3),
        "F1": pytest.approx(1 / 3),
        "BEM": pytest.approx(2 / 3),
        "Human": pytest.approx(2 / 3),
    }
    assert found["Luke", "BEM, 1 reference"] == pytest.approx(2 / 3)


def test_bem_is_asked_of_answers_that_its_scores_do_not_settle() -> None:
    """Two answers were each compared with one of two references, one of them gladly; the third was
    never rated, and the fourth compared with both."""

    class Asked(Unsure):
        def score(self, pairs: Sequence[Pair]) -> list[float]:
            asked.append([(pair.candidate, pair.references) for pair in pairs])
            return [0.9] * len(pairs)

    asked: list[list[tuple[str, Sequence[str]]]] = []
    scores = {"she": [0.6], "he": [0.4], "it": [], "we": [0.1, 0.2]}
    pairs = [
        replace(rated(text, text, 1), scores={"bem": score})
        for text, of_text in scores.items()
        for score in of_text
    ]
    answers = {text: text for text in scores}
    given = AeFiles(
        {"luke": RatedPairs(tuple(pairs), frozenset({("she", "she"), ("he", "he")}))},
        {"bem": Asked()},
        Bootstrap(seed=0, replicates=10),
        squad={key: SquadQuestion(key, ("Ada", "Lady")) for key in answers},
        texts=dict.fromkeys(answers, ("Who?", "A passage.")),
        predictions={"luke": answers},
    )
    cells = computed(system_cells(given))
    assert cells["tab6", "BEM", "Luke"].value == 0.75
    assert asked[0] == [("he", ("Ada", "Lady")), ("it", ("Ada", "Lady"))]
    found = computed(system_cells(replace(given, matchers={})))
    assert found["tab6", "BEM", "Luke"].reason == (
        "needs --matcher bem, as 2 answers of Luke are not all rated"
    )


def test_a_releases_word_and_rule_settle_what_is_exact() -> None:
    # SQuAD's normal form of -5 is that of 5
    given = AeFiles(
        {"luke": RatedPairs((rated("b", "she", 0),))},
        {},
        Bootstrap(seed=0, replicates=10),
        squad={"a": SquadQuestion("a", ("5",)), "b": SquadQuestion("b", ("Ada",))},
        predictions={"luke": {"a": "-5", "b": "she"}},
    )

    def people(**changes: Any) -> tuple[float | None, int]:
        cells = computed(system_cells(replace(given, **changes)))
        human = cells["tab6", "Human", "Luke"]
        return human.value, human.n

    strict = {"luke": ExactRule.STRICT}
    assert people() == (0.5, 2)
    assert people(exact_rules=strict) == (0.0, 1)
    assert people(exact_rules=strict, exact={"luke": frozenset({"a"})}) == (0.5, 2)
    assert people(exact={"luke": frozenset()}) == (0.0, 1)


def test_bem_accepts_from_one_half_whatever_it_is_tuned_to() -> None:
    found = values({"a": "she", "b": "he"}, rated("a", "she", 1), rated("b", "he", 0))
    tables = found["BEM", "Luke"], found["Luke", "BEM, 1 reference"]
    assert tables == (1.0, 1.0)


def test_an_item_is_what_its_label_says_and_its_ratings_stay_theirs() -> None:
    tied = rated("a", "she", 1, of=2)
    labels = ("equivalent", "not-equivalent")
    for label, share in zip(labels, (1.0, 0.0), strict=True):
        pairs = RatedPairs((replace(tied, label=label),))
        bootstrap = Bootstrap(seed=0, replicates=10)
        assert pairs.equivalent_examples(bootstrap).value == share
        assert pairs.equivalent_candidates(bootstrap).value == share
        assert pairs.equivalent_ratings(bootstrap).value == 0.5
