from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.oracles import AnsweredLabel, fold_ratings
from tomahto.votes.answer_patterns import AnswerColumns
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import LabelScheme, QuestionScheme, question_parts

SCHEME = LabelScheme(("good", "bad"), (1, 0))
QUESTIONS = (
    QuestionScheme("q1", ("yes", "no")),
    QuestionScheme("q2", ("yes", "no")),
    QuestionScheme("why", ("long", "wrong"), is_multiple=True),
)
COLUMNS = AnswerColumns(SCHEME, question_parts(QUESTIONS))
FAR: AnsweredLabel = ("bad", {"q1": "yes"})
NEAR: AnsweredLabel = ("good", {"q1": "no", "q2": "yes"})
ODD: AnsweredLabel = ("bad", {"q1": "no", "q2": "no", "why": "long+wrong"})
BARE: AnsweredLabel = ("good", {})


def test_answer_columns_count_the_label_and_each_answer_given() -> None:
    # good bad | q1 yes no | q2 yes no | long: chosen, not | wrong: chosen, not
    assert COLUMNS.counts_of(*FAR) == (0, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    assert COLUMNS.counts_of(*ODD) == (0, 1, 0, 1, 0, 1, 1, 0, 1, 0)
    assert COLUMNS.counts_of(*BARE) == (1, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def test_fold_leaves_out_who_was_not_asked() -> None:
    patterns = fold_ratings(COLUMNS, [[[FAR, NEAR, ODD], [NEAR, BARE]], [[BARE], []]])
    assert dict(patterns.labels.counts) == {(1, 2): 1, (2, 0): 1, (1, 0): 1}
    together = [([(1, 0)], 1), ([(2, 0), (1, 2)], 1)]
    assert patterns.labels == VotePatterns.of_questions(SCHEME, together)
    q1 = COLUMNS.parts[0].scheme
    assert patterns.questions["q1"] == VotePatterns.of_questions(q1, [([(0, 1), (1, 2)], 1)])
    assert patterns.without_questions().labels == VotePatterns(SCHEME, patterns.labels.counts)
    assert {key: dict(votes.counts) for key, votes in patterns.questions.items()} == {
        "q1": {(1, 2): 1, (0, 1): 1},
        "q2": {(1, 1): 1, (1, 0): 1},
        "why.long": {(1, 0): 1},
        "why.wrong": {(1, 0): 1},
    }


@pytest.mark.parametrize(
    ("rating", "message"),
    [
        (("fine", {}), "'fine' is not one of good, bad"),
        (("good", {"q1": "maybe"}), "'maybe' is not one of yes, no"),
    ],
)
def test_columns_name_an_unknown_value(rating: AnsweredLabel, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        COLUMNS.counts_of(*rating)


@given(st.lists(st.lists(st.sampled_from([FAR, NEAR, ODD, BARE]), max_size=4), max_size=12))
def test_fold_equals_every_question_counted_alone(
    items: Sequence[Sequence[AnsweredLabel]],
) -> None:
    patterns = fold_ratings(COLUMNS, [[item] for item in items]).without_questions()
    assert patterns.labels == VotePatterns.from_votes(
        SCHEME, [[label for label, _ in ratings] for ratings in items]
    )
    for part in COLUMNS.parts:
        given_answers = [[part.answer_in(answers) for _, answers in ratings] for ratings in items]
        asked = [[answer for answer in answers if answer] for answers in given_answers]
        assert patterns.questions[part.key] == VotePatterns.from_votes(part.scheme, asked)
