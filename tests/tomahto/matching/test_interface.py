"""The rules that every matcher keeps to which reads words, and no model."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tomahto.matching.baselines.one_sense import make_meteor
from tests.tomahto.matching.examples import pair
from tomahto.matching.baselines.words import Bleu, NltkBleu, RougeL
from tomahto.matching.cfmatch import SHIPPED_WEIGHTS as CFMATCH_FILE
from tomahto.matching.cfmatch.matcher import CFMatch, CFMatchWeights
from tomahto.matching.cfmatch.matcher import read_weights as read_cfmatch
from tomahto.matching.em import ExactMatch
from tomahto.matching.f1 import TokenF1
from tomahto.matching.feather import SHIPPED_WEIGHTS as FEATHER_FILE
from tomahto.matching.feather.matcher import Feather, FeatherWeights
from tomahto.matching.feather.matcher import read_weights as read_feather
from tomahto.matching.interface import Matcher, MissingReferenceError, Pair

Make = Callable[[], Matcher]


@cache
def _cfmatch_weights() -> CFMatchWeights:
    return read_cfmatch(CFMATCH_FILE)


@cache
def _feather_weights() -> FeatherWeights:
    return read_feather(FEATHER_FILE)


MATCHERS: Mapping[str, Make] = {
    "em": ExactMatch,
    "f1": TokenF1,
    "cfmatch": lambda: CFMatch(_cfmatch_weights()),
    "feather": lambda: Feather(_feather_weights()),
    "bleu": Bleu,
    "bleu-nltk": NltkBleu,
    "rouge-l": RougeL,
    "meteor": make_meteor,
}
every_matcher = pytest.mark.parametrize("make", MATCHERS.values(), ids=MATCHERS)

WORDS = ("the", "who", "wrote", "Paris", "France", "1912", "1914", "in", "not", "J.", "É", "WHO")
TEXTS = (
    st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
    | st.text(max_size=40)
    | st.sampled_from(["", " ", "\x00", "١٢٣", "ﬁ 1/2 −3", "the"])
)
PAIRS = st.builds(
    Pair,
    question=TEXTS,
    context=st.just(""),
    references=st.lists(TEXTS, min_size=1, max_size=3).map(tuple),
    candidate=TEXTS,
)


@every_matcher
@settings(max_examples=15)
@given(batch=st.lists(PAIRS, min_size=1, max_size=5))
def test_a_score_is_from_0_to_1_and_does_not_depend_on_the_other_pairs(
    make: Make, batch: list[Pair]
) -> None:
    matcher = make()
    scores = matcher.score(batch)
    fresh = make()  # has not met the batch's words
    assert scores == [fresh.score([single])[0] for single in batch]
    assert scores == matcher.score(batch[::-1])[::-1]
    assert all(0 <= score <= 1 for score in scores)


@every_matcher
@settings(max_examples=15)
@given(several=PAIRS)
def test_the_closest_reference_counts_wherever_it_stands(make: Make, several: Pair) -> None:
    matcher = make()
    singles = [replace(several, references=(reference,)) for reference in several.references]
    (together,) = matcher.score([several])
    assert together == max(matcher.score(singles))
    assert matcher.score([replace(several, references=several.references[::-1])]) == [together]


@every_matcher
def test_an_equal_reference_is_closer_than_another(make: Make) -> None:
    hills = "the northern hills"
    one, other, both = make().score(
        [pair(hills, "the sea"), pair(hills, hills), pair(hills, "the sea", hills)]
    )
    assert one < other == both


@every_matcher
def test_a_pair_without_reference_is_named(make: Make) -> None:
    with pytest.raises(MissingReferenceError, match=r"^pair 1 \(candidate 'Paris'\) has no ref"):
        make().score([pair("Rome", "Rome"), pair("Paris")])


@every_matcher
def test_no_pairs_have_no_scores(make: Make) -> None:
    assert make().score([]) == []
