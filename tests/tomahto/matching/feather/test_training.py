import os
import subprocess
import sys
from pathlib import Path

from tests.tomahto.matching.examples import EXAMPLES, example, examples_of
from tomahto.learning.boosted_trees import BoostingOptions
from tomahto.matching.feather.matcher import Feather, read_weights
from tomahto.matching.feather.training import TrainingOptions, train_and_report, train_feather
from tomahto.matching.table import matchers_by_name

SMALL = TrainingOptions(boosting=BoostingOptions(trees=20, depth=2, l2=0.1))


def test_training_learns_what_the_labels_say() -> None:
    matcher = Feather(train_feather([EXAMPLES], SMALL, seed=0))

    labels = [score >= matcher.threshold for score in matcher.score([e.pair for e in EXAMPLES])]

    assert sum(label == e.correct for label, e in zip(labels, EXAMPLES, strict=True)) >= 11


def test_training_gives_the_same_weights_for_the_same_seed() -> None:
    first, same, other = (train_feather([EXAMPLES], SMALL, seed=seed) for seed in (0, 0, 1))

    assert first == same
    assert first.digest != other.digest
    assert first.digest == "4aab0c43bcf1"


_DIGEST = """
from tests.tomahto.matching.examples import EXAMPLES
from tomahto.learning.boosted_trees import BoostingOptions
from tomahto.matching.feather.training import TrainingOptions, train_feather
small = TrainingOptions(boosting=BoostingOptions(trees=20, depth=2, l2=0.1))
print(train_feather([EXAMPLES], small, seed=0).digest)
"""


def test_training_gives_the_same_weights_on_other_processors() -> None:
    """numpy takes other instructions where a processor has fewer, which round otherwise."""
    from numpy._core._multiarray_umath import (  # type: ignore[import-not-found]  # its own
        __cpu_dispatch__,
        __cpu_features__,
    )

    fewer = " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))
    printed = subprocess.run(
        [sys.executable, "-c", _DIGEST],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": fewer},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert printed.strip() == train_feather([EXAMPLES], SMALL, seed=0).digest


def test_further_examples_count_less() -> None:
    against = [
        example(e.pair.candidate, *e.pair.references, correct=not e.correct) for e in EXAMPLES
    ]

    def accuracy(options: TrainingOptions) -> int:
        matcher = Feather(train_feather([EXAMPLES, against], options, seed=0))
        scores = matcher.score([e.pair for e in EXAMPLES])
        return sum((s >= 0.5) == e.correct for s, e in zip(scores, EXAMPLES, strict=True))

    assert accuracy(TrainingOptions(SMALL.boosting, further_weight=0.1)) >= 10


def test_training_reports_every_set(tmp_path: Path) -> None:
    sets = [examples_of(EXAMPLES, "first"), examples_of(EXAMPLES[:6], "second")]
    test = examples_of([example("Ada", "Ada", correct=True, question="New?"), EXAMPLES[0]])
    out = tmp_path / "weights.json"

    report = train_and_report(sets, out, test=test, options=SMALL, folds=2, seed=3)

    assert [(f.examples, f.questions, f.correct) for f in report.files] == [(12, 6, 6), (6, 3, 3)]
    assert [f.source for f in report.files] == [{"file": "first"}, {"file": "second"}]
    assert [f.cross_validation.pooled.matcher.n for f in report.files] == [12, 6]
    assert report.transfer is not None
    assert report.transfer.matcher.n == 1  # the other question was trained on
    assert report.bytes == out.stat().st_size
    assert report.version == matchers_by_name()["feather"].load(out).version
    assert read_weights(out) == train_feather([EXAMPLES, EXAMPLES[:6]], SMALL, seed=3)


def test_training_takes_examples_of_one_label() -> None:
    right = [e for e in EXAMPLES if e.correct]

    weights = train_feather([right], SMALL, seed=0)  # the plain cases are wrong ones too

    assert len(weights.trees) == SMALL.boosting.trees
