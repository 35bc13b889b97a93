from fractions import Fraction

import pytest
from scipy.special import betaincinv

from tomahto.conformal.answer_sets import CandidateTable, conformal_sets

# Ten calibration questions; the right answer of question i has nonconformity i.
SCORES = [[float(number), float(number) - 0.5] for number in range(1, 11)]
EXACT = CandidateTable.of_rows(SCORES, [[True, False]] * 10)
# The matcher admits the wrong answer too: its smallest is 0.5 less.
LENIENT = CandidateTable.of_rows(SCORES, [[True, True]] * 10)
TEST = CandidateTable.of_rows([[4.0, 5.6, 7.0], [8.0]], [[False, True, True], [True]])


def test_conformal_sets_by_labels_alone() -> None:
    # n = 10: ranks ceil(5.5) = 6 and ceil(9.9) = 10, of 1, ..., 10; rank 11 keeps all
    targets = {name: Fraction(name) for name in ("0.5", "0.90", "0.95", "0")}
    values = {name: sets.as_json() for name, sets in conformal_sets(EXACT, TEST, targets).items()}
    everything = {"mean_set_size": 2.0, "accuracy": 1.0, "sets": [[0, 1, 2], [0]]}
    assert values == {
        "0.5": {
            "mean_set_size": 1.0,
            "accuracy": 0.5,
            "n": 2,
            "threshold": 6.0,
            "sets": [[0, 1], []],
            "calibration": 10,
        },
        "0.90": {**everything, "n": 2, "threshold": 10.0, "calibration": 10},
        "0.95": {
            **everything,
            "n": 2,
            "threshold": None,
            "reason": "every candidate stays",
            "calibration": 10,
        },
        "0": {
            "mean_set_size": 0.0,
            "accuracy": 0.0,
            "n": 2,
            "threshold": None,
            "reason": "no candidate stays",
            "sets": [[], []],
            "calibration": 10,
        },
    }


def test_conformal_sets_by_a_matcher_stand_raw_and_corrected_beside_the_exact_ones() -> None:
    sets = conformal_sets(EXACT, TEST, {"0.5": Fraction("0.5")}, approximate=EXACT, seed=7)
    values = sets["0.5"].as_json()
    approximate = values.pop("approximate")
    # One labelled question, right: the bound is betaincinv(1, 1, 0.99) = 0.99. Then epsilon
    # falls to 0.5 * 0.01 and rank ceil(11 * 0.995) = 11 keeps all.
    assert approximate["error"] == {
        "labelled": 1,
        "admitting": 1,
        "wrong": 0,
        "bound": pytest.approx(betaincinv(1, 1, 0.99), rel=1e-12),
        "gamma": 0.01,
        "seed": 7,
    }
    assert {**approximate["raw"], "calibration": 10} == values
    assert approximate["corrected"]["sets"] == [[0, 1, 2], [0]]


def test_conformal_sets_of_a_lenient_matcher_are_too_small_before_the_correction() -> None:
    sets = conformal_sets(EXACT, TEST, {"0.5": Fraction("0.5")}, approximate=LENIENT)
    approximate = sets["0.5"].as_json()["approximate"]
    assert (approximate["raw"]["threshold"], approximate["raw"]["sets"]) == (5.5, [[0], []])
    assert (approximate["error"]["wrong"], approximate["error"]["bound"]) == (1, 1.0)
    assert approximate["corrected"]["reason"] == "every candidate stays"


def test_conformal_sets_without_test_questions_say_so() -> None:
    nothing = CandidateTable.of_rows([], [])
    values = conformal_sets(EXACT, nothing, {"1": Fraction(1)})["1"].as_json()
    assert values == {
        "mean_set_size": None,
        "accuracy": None,
        "n": 0,
        "threshold": None,
        "reason": "there is no test question; every candidate stays",
        "sets": [],
        "calibration": 10,
    }


def test_conformal_sets_need_calibration_questions() -> None:
    with pytest.raises(ValueError, match="there is no calibration question"):
        conformal_sets(CandidateTable.of_rows([], []), TEST, {"0.5": Fraction("0.5")})
