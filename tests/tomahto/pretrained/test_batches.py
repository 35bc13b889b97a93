import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.pretrained.classifier import fit_sections, length_batches


@pytest.mark.parametrize(
    ("lengths", "size", "tokens", "batches"),
    [
        # 20 tokens: two of 10 fill a batch, then 3 of 6 (18); the two shortest are left
        ([1, 10, 6, 9, 6, 2, 5], 4, 20, [[1, 3], [2, 4, 6], [5, 0]]),
        ([3, 3, 3], 2, 100, [[0, 1], [2]]),
        ([30, 2, 2], 4, 10, [[0], [1, 2]]),  # too long for any batch
    ],
)
def test_batches_hold_inputs_of_like_length_longest_first(
    lengths: list[int], size: int, tokens: int, batches: list[list[int]]
) -> None:
    assert length_batches(lengths, size=size, tokens=tokens) == batches


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


@pytest.mark.parametrize(
    ("sections", "room", "expected"),
    [
        ([[1, 2], [3]], 3, [[1, 2], [3]]),
        ([[1, 2], [3, 4, 5], list(range(90))], 9, [[1, 2], [3, 4, 5], [0, 1, 2, 3]]),
        ([[1] * 8, [2] * 9], 7, [[1] * 3, [2] * 3]),  # equally long ones are cut alike
    ],
)
def test_the_longest_section_is_cut_first(
    sections: list[list[int]], room: int, expected: list[list[int]]
) -> None:
    assert fit_sections(sections, room) == expected
