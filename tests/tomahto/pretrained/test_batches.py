from hypothesis import given
from hypothesis import strategies as st

from tomahto.pretrained.batches import fit_sections, length_batches


def test_batches_hold_inputs_of_like_length_longest_first() -> None:
    # 20 tokens: two of 10 fill a batch, then 3 of 6 (18); the two shortest are left
    assert length_batches([1, 10, 6, 9, 6, 2, 5], size=4, tokens=20) == [[1, 3], [2, 4, 6], [5, 0]]


def test_batches_are_no_larger_than_asked_for() -> None:
    assert length_batches([3, 3, 3], size=2, tokens=100) == [[0, 1], [2]]


def test_an_input_too_long_for_any_batch_stands_alone() -> None:
    assert length_batches([30, 2, 2], size=4, tokens=10) == [[0], [1, 2]]


@given(
    st.lists(st.integers(0, 600), max_size=60),
    st.integers(1, 20),
    st.integers(1, 2000),
)
def test_batches_hold_every_input_once(lengths: list[int], size: int, tokens: int) -> None:
    batches = length_batches(lengths, size=size, tokens=tokens)
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        padded = len(batch) * max(lengths[place] for place in batch)
        assert len(batch) == 1 or (len(batch) <= size and padded <= tokens)


def test_sections_that_fit_stay_whole() -> None:
    assert fit_sections([[1, 2], [3]], 3) == [[1, 2], [3]]


def test_the_longest_section_is_cut_first() -> None:
    assert fit_sections([[1, 2], [3, 4, 5], list(range(90))], 9) == [
        [1, 2],
        [3, 4, 5],
        [0, 1, 2, 3],
    ]


def test_equally_long_sections_are_cut_alike() -> None:
    assert fit_sections([[1] * 8, [2] * 9], 7) == [[1] * 3, [2] * 3]
