from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from tests.tomahto.matching.examples import EXAMPLES, example, examples_of, pair
from tomahto.matching.cfmatch.matcher import CFMatch
from tomahto.matching.cfmatch.training import TrainingOptions, train_and_report, train_cfmatch
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import MissingReferenceError
from tomahto.matching.table import matchers_by_name
from tomahto.text.normalisation import best_overlap, token_overlap, tokens

ALL_WORDS = TrainingOptions(min_document_frequency=1)
PAPER = TrainingOptions(l2=1, overlap_scale=1, overlap_words="tokens", min_document_frequency=1)


@pytest.mark.parametrize("options", [PAPER, replace(PAPER, l2=10, overlap_scale=10)])
def test_training_equals_scikit_learn_on_the_same_features(options: TrainingOptions) -> None:
    single = [replace(e, pair=replace(e.pair, references=e.pair.references[:1])) for e in EXAMPLES]

    def analyse(one: LabelledPair) -> list[str]:
        fields = (one.pair.candidate, one.pair.references[0], one.pair.question)
        return ["[CLS]", *(word for field in fields for word in (*tokens(field), "[SEP]"))]

    vectorizer = TfidfVectorizer(analyzer=analyse)
    scale = options.overlap_scale
    overlap = [token_overlap(e.pair.candidate, e.pair.references[0]) for e in single]
    features = hstack([vectorizer.fit_transform(single), csr_array(np.array(overlap) * scale)])
    labels = [example.correct for example in single]
    golden = LogisticRegression(C=1 / options.l2, tol=1e-10, max_iter=10_000)
    golden.fit(features, labels)

    weights = train_cfmatch(single, options)

    assert weights.words == tuple(vectorizer.get_feature_names_out())
    np.testing.assert_allclose(
        [*weights.word_weights, *(weight / scale for weight in weights.overlap_weights)],
        golden.coef_[0],
        atol=1e-5,
    )
    np.testing.assert_allclose(
        CFMatch(weights).score([example.pair for example in single]),
        golden.predict_proba(features)[:, 1],
        atol=1e-5,
    )


def test_training_reads_the_closest_reference_only() -> None:
    several = [
        replace(e, pair=replace(e.pair, references=("nothing alike", *e.pair.references)))
        for e in EXAMPLES
    ]
    closest = [
        replace(
            e,
            pair=replace(
                e.pair,
                references=(
                    max(
                        e.pair.references,
                        key=lambda reference: best_overlap(e.pair.candidate, [reference]).f1,
                    ),
                ),
            ),
        )
        for e in several
    ]

    assert train_cfmatch(several) == train_cfmatch(closest)


def test_few_labels_are_enough_for_the_overlap_to_count() -> None:
    # The penalty that keeps words from being learned by heart must not silence the overlap.
    weights = train_cfmatch(EXAMPLES)
    silenced = train_cfmatch(EXAMPLES, TrainingOptions(overlap_scale=1))

    right, wrong = [pair("red fox", "fox"), pair("wolf", "fox")]
    low, high = sorted(CFMatch(weights).score([right, wrong]))
    assert high - low > 0.5
    low, high = sorted(CFMatch(silenced).score([right, wrong]))
    assert high - low < 0.1


def test_vocabulary_holds_the_most_frequent_words() -> None:
    # [CLS] and [SEP] are in all 12 examples, `it` in 8, `is` and `which` in 4: `is` comes first.
    options = TrainingOptions(max_vocabulary=4)

    weights = train_cfmatch(EXAMPLES, options)

    assert dict(zip(weights.words, weights.document_frequencies, strict=True)) == {
        "[CLS]": 12,
        "[SEP]": 12,
        "is": 4,
        "it": 8,
    }


def test_vocabulary_leaves_out_rare_words() -> None:
    frequencies = train_cfmatch(EXAMPLES, TrainingOptions(min_document_frequency=4))

    assert set(frequencies.words) == {"[CLS]", "[SEP]", "is", "it", "which"}


def test_training_refuses_what_cannot_be_learned_from() -> None:
    with pytest.raises(MissingReferenceError, match="pair 12"):
        train_cfmatch([*EXAMPLES, example("fox", correct=True)])
    with pytest.raises(ValueError, match="all 6 labels are the same"):
        train_cfmatch([e for e in EXAMPLES if e.correct])


def test_train_and_report_writes_weights_and_reports(tmp_path: Path) -> None:
    unseen = [
        example("Bern", "Bern", correct=True, question="Where?"),
        example("Rome", "Bern", correct=False, question="Where?"),
    ]
    out = tmp_path / "weights.json"

    report = train_and_report(
        examples_of(EXAMPLES),
        out,
        test=examples_of([EXAMPLES[0], *unseen]),
        options=ALL_WORDS,
        folds=3,
        seed=4,
    )

    weights = train_cfmatch(EXAMPLES, ALL_WORDS).rounded(5)
    assert (
        matchers_by_name()["cfmatch"].load(out).version
        == report.version
        == CFMatch(weights).version
    )
    assert (report.examples, report.questions, report.correct) == (12, 6, 6)
    assert (report.words, report.bytes) == (len(weights.words), out.stat().st_size)
    assert (report.options, report.seed) == (ALL_WORDS, 4)
    assert report.source == {"file": "examples"}
    assert len(report.cross_validation.folds) == 3
    assert report.cross_validation.pooled.matcher.n == 12
    assert report.transfer is not None
    assert (report.transfer.matcher.n, report.transfer.token_f1.value) == (2, 1.0)
    assert train_and_report(examples_of(EXAMPLES), out, folds=2).transfer is None
