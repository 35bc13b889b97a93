import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tomahto.votes.answer_patterns import END, pair_tables_from_codes
from tomahto.votes.patterns import PairTable, pair_tables_from_votes
from tomahto.votes.scheme import LabelScheme

LABELS = ("good", "bad", "bad")  # two outcomes have the label `bad`
RATERS = {3: "cy", 5: "al", 8: "bo"}
VOTES = st.dictionaries(st.sampled_from(sorted(RATERS)), st.integers(0, 2), max_size=3)


def test_pair_tables_from_codes_go_by_name_and_label() -> None:
    # cy good (3 * 3), al bad (5 * 3 + 2), bo bad (8 * 3 + 1); then al bad alone; then cy, al bad
    codes = np.array([9, 17, 25, END, 16, END, 11, 16])
    assert pair_tables_from_codes(codes, RATERS, LABELS) == [
        PairTable(("al", "bo"), {("bad", "bad"): 1}),
        PairTable(("al", "cy"), {("bad", "good"): 1, ("bad", "bad"): 1}),
        PairTable(("bo", "cy"), {("bad", "good"): 1}),
    ]


@given(st.lists(VOTES, max_size=12))
def test_pair_tables_from_codes_equal_those_from_votes(items: list[dict[int, int]]) -> None:
    coded = [[rater * 3 + outcome for rater, outcome in votes.items()] for votes in items]
    codes = [code for votes in coded for code in (*votes, END)][:-1]
    named = [{RATERS[who]: LABELS[outcome] for who, outcome in votes.items()} for votes in items]
    expected = pair_tables_from_votes(LabelScheme(("good", "bad"), (1, 0)), named)
    found = pair_tables_from_codes(np.array(codes, dtype=np.int64), RATERS, LABELS)
    assert found == expected
