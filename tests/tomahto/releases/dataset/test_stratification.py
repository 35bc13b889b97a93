from collections import Counter
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from tomahto.releases.dataset.splits import Group, assign_documents, stratify
from tomahto.releases.records.records import SplitSpec

HALVES = {"a": 50.0, "b": 50.0}


def test_stratify_moves_groups_to_where_labels_are_short() -> None:
    # Two documents of two right items each in a, two of wrong ones in b; 2 of each label would be
    # expected in each split, so χ² is 4 · 2² / 2 = 8. Moving d1 to b leaves a (2, 0), b (2, 4):
    # 2²/2 + 2²/2 = 4. Moving d3 then gives a (2, 2), b (2, 2): 0.
    labels = {"d1": {"right": 2}, "d2": {"right": 2}, "d3": {"wrong": 2}, "d4": {"wrong": 2}}
    assigned = {"d1": "a", "d2": "a", "d3": "b", "d4": "b"}
    groups = [Group((name,), counts) for name, counts in labels.items()]
    stratify(assigned, groups, labels, HALVES, largest=2)
    assert assigned == {"d1": "b", "d2": "a", "d3": "a", "d4": "b"}


def test_stratify_moves_nothing_that_is_not_free() -> None:
    labels = {"d1": {"right": 2}, "d2": {"right": 2}, "d3": {"wrong": 2}, "d4": {"wrong": 2}}
    assigned = {"d1": "a", "d2": "a", "d3": "b", "d4": "b"}
    stratify(assigned, [Group(("d4",), labels["d4"])], labels, HALVES, largest=2)
    assert assigned == {"d1": "a", "d2": "a", "d3": "b", "d4": "a"}  # 4 → a (4, 2), b (0, 2): 4


def test_stratify_empties_no_split() -> None:
    labels = {"d1": {"right": 1}, "d2": {"wrong": 1}}
    assigned = {"d1": "a", "d2": "b"}
    groups = [Group((name,), counts) for name, counts in labels.items()]
    stratify(assigned, groups, labels, HALVES, largest=5)
    assert assigned == {"d1": "a", "d2": "b"}


counts = st.dictionaries(st.sampled_from(["right", "wrong", "partial"]), st.integers(1, 9)).filter(
    bool
)
documents = st.dictionaries(st.text(min_size=1, max_size=3), counts, min_size=2, max_size=20)


def chi_square(
    labels: Mapping[str, Mapping[str, int]],
    assigned: Mapping[str, str],
    shares: Mapping[str, float],
) -> float:
    whole: Counter[str] = Counter()
    parts: dict[str, Counter[str]] = {name: Counter() for name in shares}
    for document, found in labels.items():
        whole.update(found)
        parts[assigned[document]].update(found)
    return sum(
        (parts[name][label] - share / 100 * n) ** 2 / (share / 100 * n)
        for name, share in shares.items()
        for label, n in whole.items()
    )


@given(documents, st.integers(0, 99))
def test_stratified_documents_are_nearer_and_still_within_the_largest(
    labels: Mapping[str, Mapping[str, int]], seed: int
) -> None:
    shares = {"dev": 30.0, "test": 70.0}
    plain = assign_documents(labels, SplitSpec("document", shares), seed)
    stratified = assign_documents(labels, SplitSpec("document", shares, stratified=True), seed)
    before, after = (chi_square(labels, found, shares) for found in (plain, stratified))
    assert after <= before + 1e-6
    sizes = {name: sum(found.values()) for name, found in labels.items()}
    for name, share in shares.items():
        items = sum(sizes[document] for document, split in stratified.items() if split == name)
        assert items > 0
        assert abs(items - sum(sizes.values()) * share / 100) <= max(sizes.values())
