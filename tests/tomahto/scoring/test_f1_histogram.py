import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.scoring.judged_scores import BINS, f1_histogram

LABELS = ("good", "bad")


def test_bins_include_their_lower_edge_and_the_last_one_as_well() -> None:
    # 0.1 * 3 is 0.30000000000000004 and 1 - 0.7 is 0.30000000000000004 - 5.6e-17: both 0.3
    items = [("good", 0.0), ("good", 0.1 * 3), ("bad", 1 - 0.7), ("bad", 0.999), ("bad", 1.0)]
    assert f1_histogram(LABELS, [*items, ("good", None)]) == {
        "edges": pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]),
        "labels": {
            "good": [1, 0, 0, 1, 0, 0, 0, 0, 0, 0],
            "bad": [0, 0, 0, 1, 0, 0, 0, 0, 0, 2],
        },
        "without_references": 1,
    }


def test_quotients_fall_into_the_bin_they_begin() -> None:
    # F1 of 2 shared words of 5 and 15: 2 * 2 / 20 = 1/5; 0.6 = 2 * 3 / 10
    histogram = f1_histogram(LABELS, [("good", 4 / 20), ("good", 6 / 10), ("good", 14 / 20)])
    assert [place for place, items in enumerate(histogram["labels"]["good"]) if items] == [2, 6, 7]


def test_an_unknown_label_is_refused() -> None:
    with pytest.raises(KeyError):
        f1_histogram(LABELS, [("ugly", 0.5)])


@given(st.lists(st.tuples(st.sampled_from(LABELS), st.none() | st.floats(0, 1))))
def test_every_item_is_counted_once(items: list[tuple[str, float | None]]) -> None:
    histogram = f1_histogram(LABELS, items)
    counted = sum(sum(bars) for bars in histogram["labels"].values())
    assert counted + histogram["without_references"] == len(items)
    assert {len(bars) for bars in histogram["labels"].values()} == {BINS}
