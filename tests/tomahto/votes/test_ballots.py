from collections.abc import Sequence
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.oracles import AnsweredLabel, fold_ratings
from tomahto.votes.answer_patterns import AnswerColumns, Ballots
from tomahto.votes.patterns import PairTable, pair_tables_from_votes
from tomahto.votes.scheme import LabelScheme, QuestionScheme, question_parts

SCHEME = LabelScheme(("good", "bad"), (1, 0))
COLUMNS = AnswerColumns(SCHEME, question_parts([QuestionScheme("why", ("long", "wrong"))]))
OUTCOMES: tuple[AnsweredLabel, ...] = (
    ("good", {}),
    ("bad", {"why": "long"}),
    ("bad", {"why": "wrong"}),
)
RATERS = {3: "cy", 5: "al", 8: "bo"}
VOTES = st.dictionaries(st.sampled_from(sorted(RATERS)), st.integers(0, 2), max_size=3)


def ballots(votes: Sequence[tuple[int, int, int, int]]) -> Ballots:
    """From rows (item, question, rater, outcome)."""
    items, questions, raters, said = np.array(votes, dtype=np.int64).reshape(len(votes), 4).T
    counts = [COLUMNS.counts_of(*outcome) for outcome in OUTCOMES]
    labels = [label for label, _answers in OUTCOMES]
    return Ballots(items, questions, raters, said, counts, labels).by_item()


def test_pair_tables_go_by_name_and_label() -> None:
    votes = [(1, 1, 3, 0), (4, 1, 3, 2), (1, 1, 5, 2), (2, 1, 5, 1), (1, 1, 8, 1), (4, 1, 5, 1)]
    assert ballots(votes).pair_tables(RATERS) == [
        PairTable(("al", "bo"), {("bad", "bad"): 1}),
        PairTable(("al", "cy"), {("bad", "good"): 1, ("bad", "bad"): 1}),
        PairTable(("bo", "cy"), {("bad", "good"): 1}),
    ]


@given(st.lists(st.tuples(st.integers(0, 3), VOTES), max_size=12), st.randoms())
def test_ballots_in_any_order_equal_the_votes_of_the_items(
    items: list[tuple[int, dict[int, int]]], random: Random
) -> None:
    rows = [
        (number, question, rater, outcome)
        for number, (question, votes) in enumerate(items)
        for rater, outcome in votes.items()
    ]
    random.shuffle(rows)
    counted = ballots(rows)
    by_question = [
        [[OUTCOMES[outcome] for outcome in votes.values()] for own, votes in items if own == number]
        for number in range(4)
    ]
    assert counted.patterns(COLUMNS) == fold_ratings(COLUMNS, by_question)
    named = [{RATERS[who]: OUTCOMES[said][0] for who, said in votes.items()} for _, votes in items]
    assert counted.pair_tables(RATERS) == pair_tables_from_votes(SCHEME, named)


def test_votes_of_an_item_that_fill_several_whole_numbers_are_told_apart() -> None:
    items = np.repeat([0, 1], 2**21)
    raters = np.tile(np.arange(2**21), 2)
    counts = [COLUMNS.counts_of(*outcome) for outcome in OUTCOMES]
    labels = [label for label, _answers in OUTCOMES]
    many = Ballots(items, items, raters, raters % 2 + items, counts, labels)
    assert dict(many.patterns(COLUMNS).labels.counts) == {(2**20, 2**20): 1, (0, 2**21): 1}
