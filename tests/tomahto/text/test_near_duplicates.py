"""Near-duplicates by prefix filtering, against the definition applied to all pairs."""

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tomahto.text.normalisation import tokens
from tomahto.text.same_question import (
    are_near,
    connected_components,
    near_duplicate_groups,
    near_pairs,
)

TEN = "one two three four five six seven eight nine ten"


def all_pairs(sets: list[frozenset[str]], threshold: float) -> set[tuple[int, int]]:
    def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
        return len(one & other) / len(one | other) if one | other else 1.0

    pairs = combinations(range(len(sets)), 2)
    return {(a, b) for a, b in pairs if jaccard(sets[a], sets[b]) >= threshold}


def test_are_near_includes_nine_of_ten_tokens() -> None:
    ten = frozenset(TEN.split())
    assert are_near(ten, ten - {"ten"})  # 9 / 10
    assert not are_near(ten, ten - {"ten"} | {"eleven"})  # 9 / 11
    assert are_near(frozenset(), frozenset())
    assert not are_near(frozenset(), frozenset({"one"}))


def test_are_near_is_not_moved_by_rounding() -> None:
    every = [str(number) for number in range(2000)]
    # of these a product of floats would have some one too high
    for size in (10, 70, 130, 280, 520, 1030, 2000):
        whole, nine_tenths = frozenset(every[:size]), every[: size * 9 // 10]
        assert are_near(whole, frozenset(nine_tenths)), size
        assert not are_near(whole, frozenset(nine_tenths[1:])), size


def test_groups_hold_what_is_near_by_way_of_others() -> None:
    # TEN and eight of its tokens share 8 of 10 and are not near; nine tokens are near to TEN
    # (9 / 10) but not to the eight (8 / 9 = 0.89), and eleven are near to TEN (10 / 11 = 0.91).
    texts = [
        f"{TEN} eleven",
        "Where is the Rhine?",
        TEN,
        TEN.removesuffix(" nine ten"),
        TEN.removesuffix(" ten"),
        "where is Rhine",
    ]
    assert near_duplicate_groups(texts) == [[0, 2, 4], [1, 5]]


def test_groups_of_texts_without_tokens_are_one() -> None:
    assert near_duplicate_groups(["?", "", "the", "word"]) == [[0, 1, 2]]


words = st.frozensets(st.sampled_from("bcdefghijklmnopq"), max_size=16)
thresholds = st.sampled_from([0.5, 0.6, 0.75, 0.9, 1.0])


@given(st.lists(words, max_size=25), thresholds)
def test_pairs_are_those_of_the_definition(sets: list[frozenset[str]], threshold: float) -> None:
    found = list(near_pairs(sets, threshold=threshold))
    assert {(min(pair), max(pair)) for pair in found} == all_pairs(sets, threshold)
    assert len(found) == len(set(found))


def test_groups_of_many_questions_are_those_of_all_pairs() -> None:
    random = Random(1)
    vocabulary = [f"w{number}" for number in range(300)]
    texts: list[str] = []
    for _ in range(400):
        text = random.sample(vocabulary, random.randrange(6, 25))
        texts.append(" ".join(text))
        if random.random() < 0.4:  # a neighbour: a word left out, or one more, in another order
            other = text[1:] if random.random() < 0.5 else [*text, random.choice(vocabulary)]
            texts.append(" ".join(random.sample(other, len(other))))
    sets = [frozenset(tokens(text)) for text in texts]
    expected = connected_components(len(sets), all_pairs(sets, 0.9))
    groups = near_duplicate_groups(texts)
    assert groups == [group for group in expected if len(group) > 1]
    assert len(groups) > 50
