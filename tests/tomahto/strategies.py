"""Vote patterns and ratings for property tests, and the canonical example of alpha."""

import numpy as np
from hypothesis import strategies as st

from tomahto.votes.patterns import VotePatterns
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme, Level

LEVELS: tuple[Level, ...] = ("nominal", "ordinal", "interval")


@st.composite
def vote_patterns(draw: st.DrawFn) -> VotePatterns:
    """Up to six labels with ranks that may be equal or far apart, up to eight ratings an item."""
    ranks = draw(st.lists(st.integers(-3, 9), min_size=1, max_size=6))
    scheme = LabelScheme(
        labels=tuple(f"label {number}" for number in range(len(ranks))),
        ranks=tuple(rank / 2 for rank in ranks),
        level=draw(st.sampled_from(LEVELS)),
    )
    pattern = st.lists(st.integers(0, 3), min_size=len(ranks), max_size=len(ranks)).map(tuple)
    return VotePatterns(scheme, draw(st.dictionaries(pattern, st.integers(0, 9), max_size=8)))


def canonical_example(level: Level) -> VotePatterns:
    """Four observers, twelve units, five values, missing data (Krippendorff 2011, section C)."""
    observers = ("123321412***", "1233224125*3", "*3332342251*", "12332441251*")
    units = [[value for value in unit if value != "*"] for unit in zip(*observers, strict=True)]
    return VotePatterns.from_votes(LabelScheme(tuple("12345"), (1, 2, 3, 4, 5), level), units)


@st.composite
def rating_rows(draw: st.DrawFn) -> RatingRows:
    """Up to four labels, five raters and ten items; a rater may rate an item several times."""
    labels, raters = draw(st.integers(2, 4)), draw(st.integers(1, 5))
    rating = st.tuples(st.integers(0, raters - 1), st.integers(0, labels - 1))
    items = draw(st.lists(st.lists(rating, min_size=1, max_size=5), min_size=1, max_size=10))
    rows = [(item, *rating) for item, ratings in enumerate(items) for rating in ratings]
    numbers = np.array(draw(st.permutations(rows)), dtype=np.int64)
    return RatingRows(
        numbers[:, 0],
        numbers[:, 1],
        numbers[:, 2],
        tuple(f"rater {number}" for number in range(raters)),
        tuple(f"label {number}" for number in range(labels)),
    )
