from dataclasses import asdict

import pytest

from tomahto.matching.bem.matcher import BemOptions


def test_options_survive_json() -> None:
    options = BemOptions("context", symmetrised=True, threshold=0.56, int8=True)
    assert BemOptions.from_json(asdict(options)) == options
    paper = BemOptions("question", symmetrised=False, threshold=0.5)
    assert BemOptions.from_json({}) == paper


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"variant": "all"}, "variant: 'all' is not one of answers, question, context"),
        ({"variant": 1}, "variant: 1 is not a text"),
        ({"threshold": 1.5}, "threshold: 1.5 is not from 0 to 1"),
        ({"threshold": True}, "threshold: True is not a number"),
        ({"threshold": float("nan")}, "threshold: nan is not from 0 to 1"),
        ({"symmetrised": "no"}, "symmetrised: 'no' is not true or false"),
        ({"int8": 1}, "int8: 1 is not true or false"),
        ({"treshold": 0.5}, "treshold: no such option"),
    ],
)
def test_options_that_mean_nothing_are_refused(values: dict[str, object], error: str) -> None:
    with pytest.raises(ValueError, match=error):
        BemOptions.from_json(values)


def test_the_signature_tells_what_is_read() -> None:
    signatures = [BemOptions(variant).signature for variant in ("answers", "question", "context")]
    assert signatures == [
        "in:candidate-reference|thr:0.5",
        "in:candidate-reference-question|thr:0.5",
        "in:candidate-reference-question-context|thr:0.5",
    ]
    assert (
        BemOptions("answers", symmetrised=True, threshold=0.56, int8=True).signature
        == "in:candidate-reference|symmetrised|int8|thr:0.56"
    )
