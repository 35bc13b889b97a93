import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tomahto.learning.token_rows import Row, overlaps, tokenise
from tomahto.text.normalisation import token_overlap

# Few words, so that they meet; articles, capitals and punctuation, so that normalising matters.
texts = st.one_of(
    st.lists(st.sampled_from(["a", "the", "fox", "Fox", "red", "red.", "É", "…"])).map(" ".join),
    st.text(max_size=20),
)


@settings(deadline=None)
@given(st.lists(st.tuples(texts, texts), max_size=6))
def test_overlaps_equal_token_overlap_of_measures_to_the_last_digit(
    pairs: list[tuple[str, str]],
) -> None:
    rows = tokenise([Row(candidate, reference, "who") for candidate, reference in pairs])

    columns = np.array(overlaps(rows)).reshape(3, -1)

    assert [tuple(row) for row in columns.T.tolist()] == [token_overlap(*pair) for pair in pairs]
