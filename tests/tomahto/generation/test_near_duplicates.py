"""Near-duplicates by token Jaccard, against the definition itself."""

from hypothesis import given
from hypothesis import strategies as st

from tomahto.generation.drafts import NearDuplicates
from tomahto.text.normalisation import tokens

TEN = "one two three four five six seven eight nine ten"


def test_nine_of_ten_tokens_are_near_and_eight_are_not() -> None:
    # 9 shared of 10 in all: 0.9; of ten and ten with nine shared: 9 / 11 = 0.82
    assert not NearDuplicates([TEN]).add(TEN.removesuffix(" ten"))
    assert NearDuplicates([TEN]).add(TEN.replace("ten", "eleven"))
    assert NearDuplicates([TEN]).add(TEN.removesuffix(" nine ten"))


def test_what_was_refused_is_not_remembered() -> None:
    seen = NearDuplicates([TEN])
    nine = TEN.removesuffix(" ten")
    assert not seen.add(nine)
    # 8 of 9 is 0.89, and the nine are not remembered
    assert seen.add(nine.removesuffix(" nine"))


words = st.lists(
    st.sampled_from(["b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m"]), max_size=14
).map(" ".join)


@given(st.lists(words, max_size=12), words)
def test_as_the_definition_says(known: list[str], text: str) -> None:
    seen = NearDuplicates()
    kept = [one for one in known if seen.add(one)]

    def is_near(one: str) -> bool:
        a, b = set(tokens(one)), set(tokens(text))
        return a == b or len(a & b) / len(a | b) >= 0.9

    assert seen.add(text) == (not any(is_near(one) for one in kept))
