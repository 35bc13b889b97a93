import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tests.tomahto.statements.triples import triple
from tests.tomahto.tiny_models import save_tiny_t5
from tomahto.learning.files import Examples
from tomahto.pretrained.files import digest_folder
from tomahto.statements.generator import Triple, load_statement_generator
from tomahto.statements.training import StatementTrainingOptions, train_statements

OPTIONS = StatementTrainingOptions(epochs=3, batch_size=4, learning_rate=0.01, seed=2)
TRIPLES = [triple(n, answer) for n in range(5) for answer in ("Ada", "Charles")]


def examples_of(triples: Sequence[Triple]) -> Examples[Triple]:
    return Examples(tuple(triples), "triples", {"file": "triples"})


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_t5(tmp_path_factory.mktemp("models") / "tiny-t5")


@pytest.mark.models
def test_training_lowers_the_loss_is_reproducible_and_leaves_a_card(
    base: str, tmp_path: Path
) -> None:
    out = tmp_path / "one"
    report = train_statements(examples_of(TRIPLES), out, base=base, options=OPTIONS)
    assert (
        train_statements(examples_of(TRIPLES), tmp_path / "two", base=base, options=OPTIONS)
        == report
    )
    assert report.epochs[-1].loss < report.epochs[0].loss
    assert (report.examples, report.dev_examples) == (8, 2)
    assert report.digest == digest_folder(out) == digest_folder(tmp_path / "two")
    card = json.loads((out / "card.json").read_text())
    assert card["training"] == json.loads(json.dumps(asdict(report)))
    assert card["base"] == {"model": "tiny-t5", "digest": digest_folder(Path(base))}
    assert card["data"] == {"train": {"file": "triples"}}
    assert f"model:{report.digest}" in load_statement_generator(str(out)).signature


@pytest.mark.models
def test_training_stops_when_bleu_no_longer_rises_and_keeps_the_best_epoch(
    base: str, tmp_path: Path
) -> None:
    """Dev statements that share no word with what is learned: BLEU is 0 from the first epoch on."""
    nonsense = [replace(one, statement="nothing of the kind") for one in TRIPLES[:1]]
    dev = examples_of(nonsense)
    options = replace(OPTIONS, epochs=10)
    report = train_statements(
        examples_of(TRIPLES), tmp_path / "long", base=base, dev=dev, options=options
    )
    assert [epoch.bleu for epoch in report.epochs] == [0.0, 0.0, 0.0]
    assert (report.best_epoch, report.dev_examples) == (1, 1)
    once = replace(OPTIONS, epochs=1)
    short = train_statements(
        examples_of(TRIPLES), tmp_path / "short", base=base, dev=dev, options=once
    )
    assert short.digest == report.digest


@pytest.mark.models
def test_a_generator_can_learn_by_heart(base: str, tmp_path: Path) -> None:
    two = examples_of(TRIPLES[:2])
    options = replace(OPTIONS, epochs=20, patience=20, learning_rate=0.003)
    report = train_statements(two, tmp_path / "out", base=base, dev=two, options=options)
    assert report.epochs[0].bleu == 0.0
    assert (report.bleu, report.exact, report.test) == (1.0, 1.0, None)
    assert report.rouge == {"rouge1": 1.0, "rouge2": 1.0, "rougeL": 1.0}
    triples = TRIPLES[:2]
    written = load_statement_generator(str(tmp_path / "out")).statements([t.pair for t in triples])
    assert written == [t.statement for t in triples]


def test_the_defaults_are_the_paper_s() -> None:
    defaults = StatementTrainingOptions()
    assert (defaults.epochs, defaults.batch_size, defaults.learning_rate) == (10, 16, 5e-4)
