"""Branches, canonical answers and outcomes of the protocols."""

from contextlib import suppress
from itertools import combinations, product

import pytest

from tasks.protocols import UnknownProtocol, get_protocol, protocols
from tasks.protocols.definition import AnswersError
from tomahto.releases.records.columns import RESERVED_NAMES

AE = get_protocol("ae")
TRI = (True, False, None)

# The only complete answers of Bulian et al. 2022, §3.1, and what they mean.
PERMITTED = {
    (True, None, None, None): ("not-equivalent", "completely-different"),
    (False, True, None, None): ("equivalent", "equivalent"),
    (False, False, True, False): ("not-equivalent", "loses-information"),
    (False, False, False, True): ("not-equivalent", "adds-information"),
    (False, False, True, True): ("not-equivalent", "loses-and-adds"),
    (False, False, False, False): ("not-equivalent", "otherwise-not-equivalent"),
}


def as_answers(values: tuple[bool | None, ...]) -> dict[str, object]:
    return dict(zip(("q1", "q2", "q3", "q4"), values, strict=True))


def test_ae_permits_six_of_the_81_combinations() -> None:
    found = {}
    for values in product(TRI, repeat=4):
        with suppress(AnswersError):
            outcome = AE.outcome(as_answers(values))
            found[values] = (outcome.label, outcome.reading)
    assert found == PERMITTED


def test_accepted_labels_are_the_correct_ones_where_candidates_are_answers() -> None:
    assert {name: protocol.accepted_labels for name, protocol in protocols().items()} == {
        "ae": ("equivalent",),
        "cap": ("exact", "equivalent", "alternative-correct", "overinclusive-valid"),
        "rules": ("correct",),
        "statement": (),  # a faithful statement is no answer to the question
    }


def test_protocols_are_found_by_their_modules() -> None:
    assert sorted(protocols()) == ["ae", "cap", "rules", "statement"]


def test_no_question_has_the_name_of_a_column_of_ratings() -> None:
    keys = {key for protocol in protocols().values() for key in protocol.question_keys}
    assert keys & RESERVED_NAMES == set()


def test_unknown_protocol_names_those_there_are() -> None:
    with pytest.raises(UnknownProtocol, match="ae, cap, rules, statement"):
        get_protocol("likert")


@pytest.mark.parametrize(
    ("name", "answered", "bare"), [("ae", 6, 1), ("cap", 8, 0), ("statement", 4, 0)]
)
def test_outcomes_are_the_complete_answers_and_ambiguous_bare_labels(
    name: str, answered: int, bare: int
) -> None:
    outcomes = get_protocol(name).outcomes
    assert len([o for o in outcomes if o.answers]) == answered
    assert len([o for o in outcomes if not o.answers]) == bare


def test_answers_mean_the_same_in_whatever_order_they_are_given() -> None:
    protocol = get_protocol("ae")
    in_order = {"q1": False, "q2": False, "q3": True, "q4": False}
    assert protocol.outcome(dict(reversed(in_order.items()))) == protocol.outcome(in_order)


RULES = get_protocol("rules")
EITHER = ("aliasing", "numerical", "fewer-details", "more-details", "semantic")


def test_rules_go_with_the_labels_of_the_paper_table() -> None:
    # Tab. 1: rule 6 "should be incorrect", rule 7 "is correct but not in the reference list"
    offered = {"correct": (*EITHER, "other-answers"), "incorrect": (*EITHER, "irrelevant")}
    permitted = {
        (label, frozenset(rules))
        for label, known in offered.items()
        for size in range(1, len(known) + 1)
        for rules in combinations(known, size)
    }
    outcomes = [outcome for outcome in RULES.outcomes if outcome.answers]
    assert {
        (outcome.label, frozenset(outcome.answers["rules"].split("+"))) for outcome in outcomes
    } == permitted
    # 2 labels times the 2^6 - 1 non-empty sets of rules, and the 2 bare labels of imports
    assert len(RULES.outcomes) == 2 * 63 + 2


@pytest.mark.parametrize(
    ("label", "rules", "message"),
    [
        ("correct", "irrelevant", "rules: 'irrelevant' goes with label 'incorrect' alone"),
        ("correct", "semantic+irrelevant", "rules: 'irrelevant' goes with label 'incorrect' alone"),
        ("incorrect", "other-answers", "rules: 'other-answers' goes with label 'correct' alone"),
        (None, "irrelevant", "rules: 'irrelevant' goes with label 'incorrect' alone"),
    ],
)
def test_rules_that_settle_the_label_are_refused_with_the_other(
    label: str | None, rules: str, message: str
) -> None:
    with pytest.raises(AnswersError) as error:
        RULES.outcome({"label": label, "rules": rules})
    assert str(error.value) == message


def test_cut_drops_choices_that_an_earlier_answer_rules_out() -> None:
    given = {"label": "correct", "rules": "semantic+irrelevant"}
    assert RULES.cut(given) == {"label": "correct", "rules": "semantic"}
    assert RULES.cut({**given, "rules": "irrelevant"}) == {"label": "correct"}


def test_rules_are_stored_in_one_order_however_they_are_given() -> None:
    rules = get_protocol("rules")
    first = rules.outcome({"label": "correct", "rules": ["semantic", "aliasing"]})
    second = rules.outcome({"label": "correct", "rules": "aliasing+semantic"})
    assert first == second
    assert first.id == "rules:label=correct,rules=aliasing+semantic"


def test_outcome_of_label_is_the_full_answer_where_only_one_has_it() -> None:
    assert AE.outcome_of_label("equivalent").answers == {"q1": "no", "q2": "yes"}
    assert AE.outcome_of_label("not-equivalent").id == "ae:not-equivalent"


def test_outcome_of_label_refuses_an_unknown_label() -> None:
    with pytest.raises(AnswersError, match="'same' is not one of equivalent, not-equivalent"):
        AE.outcome_of_label("same")


def test_next_question_follows_the_branch() -> None:
    asked = []
    answers: dict[str, str] = {}
    while question := AE.next_question(answers):
        asked.append(question.key)
        answers[question.key] = "no"
    assert asked == ["q1", "q2", "q3", "q4"]
    assert AE.next_question({"q1": "yes"}) is None


def test_cut_drops_answers_that_an_earlier_one_has_closed() -> None:
    given = {"q1": "no", "q2": "yes", "q3": "yes", "q4": "no"}
    assert AE.cut(given) == {"q1": "no", "q2": "yes"}
    assert AE.cut({**given, "q1": "yes"}) == {"q1": "yes"}


@pytest.mark.parametrize(
    ("asked", "answers", "before"),
    [
        ("q1", {}, None),
        ("q1", {"q1": "yes"}, None),
        ("q2", {"q1": "no"}, {}),
        ("q2", {"q1": "no", "q2": "yes"}, {}),
        ("q4", {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"}, {"q1": "no", "q2": "no"}),
        ("q2", {"q1": "no", "q2": "no", "q3": "yes", "q4": "no"}, {}),
        ("no such", {"q1": "no"}, {"q1": "no"}),
    ],
)
def test_before_reopens_the_question_before_the_one_asked(
    asked: str, answers: dict[str, str], before: dict[str, str] | None
) -> None:
    assert AE.before(asked, answers) == before


@pytest.mark.parametrize(
    ("given", "question"),
    [
        ({"q5": "yes"}, "q5"),
        ({"q1": "maybe"}, "q1"),
        ({"q1": ["yes", "no"]}, "q1"),
        ({"q1": 1}, "q1"),
        ({"q1": {"a": 1}}, "q1"),
    ],
)
def test_canonical_names_the_question_that_is_wrong(
    given: dict[str, object], question: str
) -> None:
    with pytest.raises(AnswersError) as error:
        AE.canonical(given)
    assert error.value.question == question


def test_cap_ranks_equivalent_and_alternative_alike() -> None:
    ranks = get_protocol("cap").scheme.rank_of
    assert ranks["equivalent"] == ranks["alternative-correct"] == 6
    assert sorted(ranks.values()) == [0, 1, 2, 4, 5, 6, 6, 7]
