import math

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from tomahto.learning.token_rows import Row, SparseMatrix, tokenise
from tomahto.matching.cfmatch.matcher import (
    CLS,
    SEP,
    document_frequencies,
    feature_matrix,
    make_vocabulary,
)
from tomahto.text.normalisation import tokens
from tomahto.types import Floats

ROWS = [
    Row("the red fox", "red fox", "What jumped over the dog?"),
    Row("Ada Lovelace", "Lovelace", "Who wrote the first program?"),
    Row("", "1912", "When did it sink, and did it burn?"),
]


def dense(matrix: SparseMatrix) -> Floats:
    result = np.zeros((matrix.n_rows, matrix.n_columns))
    np.add.at(result, (matrix.row, matrix.column), matrix.value)
    return result


def test_idf_is_smoothed() -> None:
    # ln((1 + 3) / (1 + 1)) + 1 and ln(4 / 4) + 1
    idf = make_vocabulary(["rare", "everywhere"], [1, 3], 3).idf

    assert idf.tolist() == [math.log(2) + 1, 1.0]


def test_document_frequencies_count_rows_and_not_occurrences() -> None:
    rows = tokenise([Row("fox", "fox", "fox"), Row("red fox", "", "")])

    assert document_frequencies(rows) == {"fox": 2, "red": 1, CLS: 2, SEP: 2}


def test_feature_matrix_joins_tf_idf_and_overlap() -> None:
    # All idf are 1 (each word in each of 1 document). Counts: [CLS] 1, [SEP] 3, red 1, fox 2;
    # `jumped` is unknown. Length √(1 + 9 + 1 + 4) = √15. Precision 1/2, recall 1, F1 2/3.
    vocabulary = make_vocabulary([CLS, SEP, "fox", "red"], [1, 1, 1, 1], 1)

    matrix = feature_matrix(tokenise([Row("red fox", "a fox", "jumped")]), vocabulary, "tokens")

    root = math.sqrt(15)
    expected = [1 / root, 3 / root, 2 / root, 1 / root, 2 / 3, 1 / 2, 1.0]
    assert dense(matrix).tolist() == [pytest.approx(expected)]


def test_feature_matrix_of_unknown_words_holds_only_the_overlap() -> None:
    matrix = feature_matrix(
        tokenise([Row("fox", "fox", "who")]), make_vocabulary([], [], 1), "tokens"
    )

    assert dense(matrix).tolist() == [[1.0, 1.0, 1.0]]


def test_stems_are_compared_where_the_overlap_is_theirs() -> None:
    # `days` and `day` are one, `seven` and `7` too; `red` is no reference's word, and
    # `walking` and `walked` are `walk`, once on one side. Precision 2/3, recall 1, F1 4/5; and
    # 1/2, 1, 2/3.
    rows = tokenise(
        [Row("red seven days", "7 day", ""), Row("walking walked", "walks", ""), Row("", "", "")]
    )
    empty = make_vocabulary([], [], 1)

    tokens_only = dense(feature_matrix(rows, empty, "tokens"))
    stemmed = dense(feature_matrix(rows, empty, "stems"))

    assert tokens_only.tolist() == [[0.0] * 3, [0.0] * 3, [1.0] * 3]
    assert stemmed.tolist() == [
        pytest.approx([4 / 5, 2 / 3, 1]),
        pytest.approx([2 / 3, 1 / 2, 1]),
        [1.0] * 3,
    ]


def test_tf_idf_equals_that_of_scikit_learn() -> None:
    def analyse(row: Row) -> list[str]:
        return [CLS, *tokens(row[0]), SEP, *tokens(row[1]), SEP, *tokens(row[2]), SEP]

    vectorizer = TfidfVectorizer(analyzer=analyse)
    golden = vectorizer.fit_transform(ROWS).toarray()
    words = vectorizer.get_feature_names_out().tolist()
    rows = tokenise(ROWS)
    frequencies = document_frequencies(rows)
    vocabulary = make_vocabulary(words, [frequencies[word] for word in words], len(ROWS))

    assert set(words) == set(frequencies)
    np.testing.assert_allclose(
        dense(feature_matrix(rows, vocabulary, "stems"))[:, : len(words)], golden, rtol=1e-12
    )
