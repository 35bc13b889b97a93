"""CAP's formula by hand, on probabilities given by a fake inference model."""

from collections.abc import Sequence
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.matching.examples import pair
from tomahto.matching.cap import CapOptions, CapScore, NliProbabilities, cap_value
from tomahto.matching.cap.matcher import Cap
from tomahto.matching.interface import MissingReferenceError
from tomahto.statements.generator import QuestionAnswer


class Sentences:
    """Statements as anybody would write them."""

    signature = "sentences"

    def statements(self, pairs: Sequence[QuestionAnswer]) -> list[str]:
        return [f"{pair.answer} wrote it." for pair in pairs]


class GivenNli:
    """An inference model that knows these ordered pairs."""

    digest = "given"

    def __init__(self, table: dict[tuple[str, str], NliProbabilities]) -> None:
        self._table = table

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[NliProbabilities]:
        return [self._table[pair] for pair in pairs]


FORWARD = NliProbabilities(entailment=0.5, neutral=0.4, contradiction=0.1)
BACKWARD = NliProbabilities(entailment=0.2, neutral=0.1, contradiction=0.7)
NLI = GivenNli(
    {
        ("Ada wrote it.", "Byron wrote it."): FORWARD,
        ("Byron wrote it.", "Ada wrote it."): BACKWARD,
        ("Lord Byron wrote it.", "Byron wrote it."): NliProbabilities(1, 0, 0),
        ("Byron wrote it.", "Lord Byron wrote it."): NliProbabilities(0, 1, 0),
    }
)


def test_cap_by_hand() -> None:
    # D(g→p) = 0.5 + 0.3 · 0.4 = 0.62, D(p→g) = 0.2 + 0.3 · 0.1 = 0.23
    # CAP = 0.85 · 0.62 + 0.15 · 0.23 = 0.527 + 0.0345 = 0.5615
    assert cap_value(FORWARD, BACKWARD, CapOptions()) == pytest.approx(0.5615)
    # entailment of the candidate alone: α = 1, λ = 0
    assert cap_value(FORWARD, BACKWARD, CapOptions(alpha=1, neutral=0)) == 0.5


def test_a_score_can_be_explained() -> None:
    [explained] = Cap(Sentences(), NLI).explain([pair("Byron", "Ada")])
    assert explained.score == pytest.approx(0.5615)
    assert explained == CapScore(
        score=explained.score,
        reference="Ada",
        reference_statement="Ada wrote it.",
        candidate_statement="Byron wrote it.",
        forward=FORWARD,
        backward=BACKWARD,
    )


def test_a_stored_explanation_is_read_back() -> None:
    [explained] = Cap(Sentences(), NLI).explain([pair("Byron", "Ada")])
    assert CapScore.from_json(asdict(explained)) == explained
    for broken in ({}, {**asdict(explained), "more": 1}, {"forward": 1, "backward": 2}):
        with pytest.raises(ValueError, match="is not what CAP says of a score"):
            CapScore.from_json(broken)


def test_the_best_reference_counts_and_is_named() -> None:
    cap = Cap(Sentences(), NLI)
    [explained] = cap.explain([pair("Byron", "Ada", "Lord Byron")])
    # 0.85 · 1 + 0.15 · 0.3 = 0.895
    assert explained.reference == "Lord Byron"
    assert explained.score == pytest.approx(0.895)
    assert cap.score([pair("Byron", "Ada", "Lord Byron"), pair("Byron", "Ada")]) == pytest.approx(
        [0.895, 0.5615]
    )


def test_a_pair_without_references_has_no_score() -> None:
    with pytest.raises(MissingReferenceError):
        Cap(Sentences(), NLI).score([pair("Byron")])


def test_no_pairs_have_no_scores() -> None:
    assert Cap(Sentences(), NLI).score([]) == []


def test_the_version_names_models_and_options() -> None:
    assert Cap(Sentences(), NLI).version == (
        "cap|alpha:0.85|lambda:0.3|thr:0.5|agg:max-ref|statements:sentences|nli:given|v1"
    )


shares = st.floats(0, 1)
probabilities = (
    st.tuples(shares, shares, shares)
    .filter(lambda three: sum(three) > 0)
    .map(lambda three: NliProbabilities(*(share / sum(three) for share in three)))
)


@given(probabilities, probabilities, shares, shares)
def test_cap_is_from_0_to_1(
    forward: NliProbabilities, backward: NliProbabilities, alpha: float, neutral: float
) -> None:
    """App. A, for any weights."""
    assert 0 <= cap_value(forward, backward, CapOptions(alpha, neutral)) <= 1


@given(probabilities, probabilities, shares)
def test_exchanging_the_directions_exchanges_their_weights(
    forward: NliProbabilities, backward: NliProbabilities, alpha: float
) -> None:
    one = cap_value(forward, backward, CapOptions(alpha=alpha))
    assert one == pytest.approx(cap_value(backward, forward, CapOptions(alpha=1 - alpha)))


@pytest.mark.parametrize("name", ["alpha", "neutral", "threshold"])
def test_weights_outside_0_to_1_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: 1.5 is not from 0 to 1"):
        CapOptions(**{name: 1.5})
