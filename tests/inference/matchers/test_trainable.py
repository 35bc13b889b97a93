import pytest

from inference.matchers.trainable import (
    NamedMatcher,
    read_matcher,
    train_matcher,
    trainable_kinds,
)
from inference.matchers.weights_file import WeightsError
from tests.inference.matchers.examples import EXAMPLES

PAIRS = [example.pair for example in EXAMPLES]


@pytest.mark.parametrize("kind", trainable_kinds())
def test_trained_matcher_is_the_same_when_read_again(kind: str) -> None:
    trained = train_matcher(kind, EXAMPLES, seed=3)
    again = read_matcher(kind, trained.text, "the row")
    assert (again.name, again.version) == (kind, trained.matcher.version)
    assert again.score(PAIRS) == trained.matcher.score(PAIRS)
    assert f"|weights:{trained.digest}|" in again.version
    assert train_matcher(kind, EXAMPLES, seed=3).digest == trained.digest


@pytest.mark.parametrize("kind", trainable_kinds())
def test_examples_all_alike_teach_nothing(kind: str) -> None:
    with pytest.raises(ValueError, match="label"):
        train_matcher(kind, [each for each in EXAMPLES if each.correct], seed=0)


@pytest.mark.parametrize("kind", trainable_kinds())
@pytest.mark.parametrize("weights", ["", "[]", "{}", '{"a": 1, "a": 1}', "[" * 100_000])
def test_wrong_weights_name_their_place(kind: str, weights: str) -> None:
    with pytest.raises(WeightsError, match=r"^the row: "):
        read_matcher(kind, weights, "the row")


def test_named_matcher_changes_the_name_alone() -> None:
    trained = train_matcher("cfmatch", EXAMPLES, seed=0).matcher
    named = NamedMatcher(trained, "cfmatch@rivers")
    assert (named.name, named.version, named.threshold, named.score(PAIRS)) == (
        "cfmatch@rivers",
        trained.version,
        trained.threshold,
        trained.score(PAIRS),
    )
