import json

from hypothesis import given

from tests.tomahto.oracles import fold_ratings
from tests.tomahto.strategies import vote_patterns
from tomahto.estimates.estimate import estimate_as_json
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.reliability.chance_corrected import gwet_ac1_with_interval
from tomahto.reliability.krippendorff_package import package_alpha
from tomahto.reliability.report import agreement_report
from tomahto.votes.answer_patterns import AnswerColumns, AnswerPatterns
from tomahto.votes.patterns import PairTable, VotePatterns
from tomahto.votes.scheme import LabelScheme, QuestionScheme, question_parts

SCHEME = LabelScheme(("yes", "no", "unsure"), (1, 0, 0))
WHY = "no item has two ratings"
NOTHING = {"value": None, "low": None, "high": None, "n": 0, "replicates": 0, "seed": 7}
UNDEFINED = {
    "alpha": {"level": "nominal", **NOTHING, "reason": WHY},
    "ac1": {**NOTHING, "reason": WHY},
    "observed_agreement": None,
    "pair_agreement": {"item_mean": None, "pooled": None, "reason": WHY},
    "full_agreement": None,
    "reason": WHY,
}


def only_labels(patterns: VotePatterns) -> AnswerPatterns:
    """The protocol of a form that asks for the label and nothing else."""
    return AnswerPatterns(patterns, {})


def test_agreement_report_says_everything_once() -> None:
    # A: 2 yes. B: 3 yes, 1 no. C: 1 no. D: 1 yes, 1 unsure.
    patterns = VotePatterns(SCHEME, {(2, 0, 0): 1, (3, 1, 0): 1, (0, 1, 0): 1, (1, 0, 1): 1})
    pairs = [
        PairTable(("bo", "cy"), {("yes", "yes"): 1}),
        PairTable(("al", "bo"), {("yes", "yes"): 1, ("yes", "no"): 1, ("no", "no"): 2}),
    ]
    interval = alpha_with_interval(patterns, seed=7, replicates=500)
    report = agreement_report("ae", only_labels(patterns), pairs, seed=7, replicates=500).as_json()
    expected = {
        "protocol": "ae",
        "items": 4,
        "ratings": 9,
        "ratings_per_item": {"1": 1, "2": 2, "4": 1},
        "labels": {"yes": 6, "no": 2, "unsure": 1},
        "majority": {"yes": 2, "no": 1, "unsure": 0},
        "ties": 1,
        "alpha": {
            "level": "nominal",
            "value": package_alpha(patterns).value,
            "low": interval.low,
            "high": interval.high,
            "n": 3,
            "replicates": 500,
            "seed": 7,
            "undefined_replicates": interval.undefined_replicates,
            "drew": "items",
            "clusters": 3,
        },
        "ac1": estimate_as_json(gwet_ac1_with_interval(patterns, seed=7, replicates=500)),
        "observed_agreement": 0.5,  # (2 * 1 + 4 * 1/2 + 0) / 8
        "pair_agreement": {
            "item_mean": 0.5,  # (1 + 1/2 + 0) / 3
            "pooled": 0.5,  # (1 + 3 + 0) of (1 + 6 + 1) pairs
        },
        "full_agreement": 1 / 3,
        "kappa": [
            # observed 1 of 4 differs, expected (2 * 3 + 2 * 1) / 4 = 2 of 4
            {
                "raters": ["al", "bo"],
                "items": 4,
                "unweighted": 0.5,
                "linear": 0.5,
                "quadratic": 0.5,
            },
            {
                "raters": ["bo", "cy"],
                "items": 1,
                "unweighted": None,
                "linear": None,
                "quadratic": None,
                "reason": "expected agreement is 1: both used one label only; "
                "expected agreement is 1: both used one rank only",
            },
        ],
        "questions": {},
    }
    assert report == expected
    assert list(report) == list(expected)  # the order in which the document has them


def test_agreement_report_of_single_ratings_gives_reasons() -> None:
    patterns = VotePatterns(SCHEME, {(1, 0, 0): 2})
    assert agreement_report("ae", only_labels(patterns), [], seed=7).as_json() == {
        "protocol": "ae",
        "items": 2,
        "ratings": 2,
        "ratings_per_item": {"1": 2},
        "labels": {"yes": 2, "no": 0, "unsure": 0},
        "majority": {"yes": 2, "no": 0, "unsure": 0},
        "ties": 0,
        **UNDEFINED,
        "kappa": [],
        "questions": {},
    }


@given(vote_patterns())
def test_agreement_report_is_json_and_the_same_from_a_shuffled_table(
    patterns: VotePatterns,
) -> None:
    backwards = VotePatterns(patterns.scheme, dict(list(patterns.counts.items())[::-1]))
    one = agreement_report("cap", only_labels(patterns), [], seed=1, replicates=20).as_json()
    two = agreement_report("cap", only_labels(backwards), [], seed=1, replicates=20).as_json()
    assert json.dumps(one, allow_nan=False) == json.dumps(two, allow_nan=False)


def test_agreement_report_has_every_question_with_reasons() -> None:
    # q1 of A: yes yes, of B: yes no, of C: no. q2, asked after no: B: 1 answer, C: 1 answer.
    questions = (QuestionScheme("q1", ("yes", "no")), QuestionScheme("q2", ("yes", "no")))
    columns = AnswerColumns(SCHEME, question_parts(questions))
    far, near = ("no", {"q1": "yes"}), ("yes", {"q1": "no", "q2": "yes"})
    patterns = fold_ratings(columns, [[[far, far]], [[far, near]], [[near]]])
    report = agreement_report("ae", patterns, [], seed=7, replicates=500).as_json()["questions"]
    # n_yes = 3, n_no = 1: n D_o = 2, n D_e = 2 * 3 / 3, alpha = 0
    q1 = VotePatterns.of_questions(
        LabelScheme(("yes", "no"), (1, 0)), [([pattern], 1) for pattern in ((2, 0), (1, 1), (0, 1))]
    )
    interval = alpha_with_interval(q1, seed=7, replicates=500)
    alpha = {"level": "nominal", **estimate_as_json(interval)}
    assert report == {
        "q1": {
            "items": 3,
            "ratings": 5,
            "answers": {"yes": 3, "no": 2},
            "alpha": {**alpha, "value": 0},
            "ac1": estimate_as_json(gwet_ac1_with_interval(q1, seed=7, replicates=500)),
            "observed_agreement": 0.5,
            "pair_agreement": {"item_mean": 0.5, "pooled": 0.5},
            "full_agreement": 0.5,
        },
        "q2": {
            "items": 2,
            "ratings": 2,
            "answers": {"yes": 2, "no": 0},
            **UNDEFINED,
        },
    }
