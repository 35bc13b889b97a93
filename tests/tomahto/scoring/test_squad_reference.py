"""Our SQuAD scores against the published rules written down independently, to the last digit."""

from random import Random
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sampling import IS_WHOLE
from tests.tomahto.scoring.squad_reference import squad_v1_reference, squad_v2_reference
from tomahto.scoring.squad import SquadQuestion, squad_v1, squad_v2

WORDS = ("Seine", "seine", "the", "a", "An", "of", "1066", "a.m.", "Beyoncé", "ÉTÉ", "İ", "“x”")
JOINTS = (" ", "  ", "-", ", ", "\t", "\u2003", "\x1c", "'s ", "!", "\n")
PLAIN = st.lists(st.sampled_from(WORDS[:7]), max_size=6).map(" ".join)
WILD = st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(JOINTS)), max_size=4).map(
    lambda parts: "".join(word + joint for word, joint in parts)
)
TEXTS = st.one_of(PLAIN, WILD, st.text(max_size=6))
# Few different values, so that many tie; whole numbers and negative ones, as files may hold.
PROBABILITIES = st.sampled_from((0, 1, 0.25, 0.5, -1.0, 1.5))
NO_WORDS = st.sampled_from(("", " ", "the", "A!"))  # only the first is silence


class Case(NamedTuple):
    """A question's gold answers, its prediction and its no-answer probability."""

    answers: list[str]
    prediction: str
    probability: float


@st.composite
def cases(draw: st.DrawFn, fewest_answers: int = 0) -> Case:
    answers = draw(st.lists(TEXTS, min_size=fewest_answers, max_size=3))
    of_gold = st.sampled_from(answers) if answers else NO_WORDS
    return Case(answers, draw(st.one_of(of_gold, NO_WORDS, TEXTS)), draw(PROBABILITIES))


@settings(max_examples=150 if IS_WHOLE else 50)
@given(st.lists(cases(), min_size=1, max_size=10), st.booleans(), PROBABILITIES, st.randoms())
def test_squad_v2_equals_the_written_rules_to_the_last_digit(
    drawn: list[Case], has_probabilities: bool, threshold: float, order: Random
) -> None:
    gold = {f"q{number}": case.answers for number, case in enumerate(drawn)}
    predictions = {f"q{number}": case.prediction for number, case in enumerate(drawn)}
    in_file = order.sample(range(len(drawn)), len(drawn))
    na_probs = {f"q{number}": drawn[number].probability for number in in_file}
    given_probs = na_probs if has_probabilities else None
    ours = squad_v2(
        [SquadQuestion(key, answers) for key, answers in gold.items()],
        predictions,
        na_probs=given_probs,
        na_threshold=threshold,
    ).as_json()
    theirs = squad_v2_reference(gold, predictions, given_probs, threshold)
    assert [*ours] == [*theirs]
    assert ours == theirs  # floats compared exactly


@settings(max_examples=60 if IS_WHOLE else 20)
@given(st.lists(st.tuples(cases(1), st.booleans()), min_size=1, max_size=10))
def test_squad_v1_equals_the_written_rules_to_the_last_digit(
    drawn: list[tuple[Case, bool]],
) -> None:
    gold = {f"q{number}": case.answers for number, (case, _) in enumerate(drawn)}
    predictions = {
        f"q{number}": case.prediction for number, (case, is_there) in enumerate(drawn) if is_there
    }
    questions = [SquadQuestion(key, answers) for key, answers in gold.items()]
    ours = squad_v1(questions, predictions, missing="zero").as_json()
    assert ours.pop("total") == len(gold)
    assert ours == squad_v1_reference(gold, predictions)
