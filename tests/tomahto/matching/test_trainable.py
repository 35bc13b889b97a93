import pytest

from tests.tomahto.matching.examples import EXAMPLES
from tomahto.learning.files import WeightsError
from tomahto.matching.trainable import (
    NamedMatcher,
    TrainedWeights,
    curve_plan,
    kinds_trainable_here,
    read_matcher,
    train_matcher,
    trainable_kinds,
)

PAIRS = [example.pair for example in EXAMPLES]
OF_TEXT = ("cfmatch", "feather")


@pytest.mark.parametrize("kind", OF_TEXT)
def test_trained_matcher_is_the_same_when_read_again(kind: str) -> None:
    trained, repeated = (train_matcher(kind, EXAMPLES, seed=3) for _ in range(2))
    assert isinstance(trained, TrainedWeights)
    assert isinstance(repeated, TrainedWeights)
    again = read_matcher(kind, trained.text, "the row")
    assert (again.name, again.version) == (kind, trained.matcher.version)
    assert again.score(PAIRS) == trained.matcher.score(PAIRS)
    assert f"|weights:{trained.digest}|" in again.version
    assert repeated.digest == trained.digest


@pytest.mark.parametrize("kind", trainable_kinds())
def test_examples_all_alike_teach_nothing(kind: str) -> None:
    with pytest.raises(ValueError, match=r"^all 6 examples are correct: there is nothing to learn"):
        train_matcher(kind, [each for each in EXAMPLES if each.correct], seed=0)


@pytest.mark.parametrize("kind", OF_TEXT)
def test_wrong_weights_name_their_place(kind: str) -> None:
    with pytest.raises(WeightsError, match=r"^the row: "):
        read_matcher(kind, "{}", "the row")


def test_only_kinds_whose_packages_are_installed_are_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert kinds_trainable_here() == trainable_kinds() == ("cfmatch", "feather", "bem")
    monkeypatch.setattr("tomahto.matching.table.is_installed", lambda name: name != "torch")
    assert kinds_trainable_here() == OF_TEXT


def test_a_costly_curve_has_few_trainings() -> None:
    # two points of three folds, and the matcher itself
    assert curve_plan("bem").trainings == 7
    assert curve_plan("feather").trainings is None


def test_named_matcher_changes_the_name_alone() -> None:
    trained = train_matcher("cfmatch", EXAMPLES, seed=0).matcher
    named = NamedMatcher(trained, "cfmatch@rivers")
    assert (named.name, named.version, named.threshold, named.score(PAIRS)) == (
        "cfmatch@rivers",
        trained.version,
        trained.threshold,
        trained.score(PAIRS),
    )
