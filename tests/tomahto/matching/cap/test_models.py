"""CAP with real, if tiny, models."""

import json
import shutil
from itertools import permutations
from pathlib import Path

import pytest

from tests.tomahto.matching.examples import EXAMPLES
from tests.tomahto.tiny_models import save_tiny_bert, save_tiny_encoder, save_tiny_t5
from tomahto.matching.cap.matcher import Cap, load_cap, load_nli
from tomahto.pretrained.files import ModelFilesError

pytestmark = pytest.mark.models

PAIRS = [example.pair for example in EXAMPLES]
CLASSES = ("entailment", "neutral", "contradiction")


@pytest.fixture(scope="module")
def nli(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(save_tiny_bert(tmp_path_factory.mktemp("models") / "nli", labels=CLASSES))


@pytest.fixture(scope="module")
def statements(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_t5(tmp_path_factory.mktemp("models") / "statements")


@pytest.fixture(scope="module")
def cap(statements: str, nli: Path) -> Cap:
    return load_cap(statements, str(nli))


def test_scores_are_from_0_to_1_and_explained(cap: Cap) -> None:
    explained = cap.explain(PAIRS)
    assert [one.score for one in explained] == cap.score(PAIRS)
    for one, pair in zip(explained, PAIRS, strict=True):
        assert 0 <= one.score <= 1
        assert one.reference in pair.references
        for direction in (one.forward, one.backward):
            total = direction.entailment + direction.neutral + direction.contradiction
            assert total == pytest.approx(1)


def test_a_score_does_not_depend_on_the_other_pairs(cap: Cap) -> None:
    assert cap.score(PAIRS) == pytest.approx([cap.score([one])[0] for one in PAIRS], abs=1e-5)


def test_the_order_of_the_labels_does_not_matter(nli: Path, tmp_path: Path) -> None:
    """The head's rows and the names of its labels are permuted together: nothing may change."""
    from safetensors.torch import load_file, save_file

    pairs = [("the red fox jumped", "a wolf jumped"), ("Ada wrote it", "Ada Lovelace wrote it")]
    expected = load_nli(str(nli)).probabilities(pairs)
    weights = load_file(nli / "model.safetensors")
    config = json.loads((nli / "config.json").read_text())
    for number, order in enumerate(permutations(range(3))):
        folder = shutil.copytree(nli, tmp_path / str(number))
        permuted = {
            name: value[list(order)] if name.startswith("classifier.") else value
            for name, value in weights.items()
        }
        save_file(permuted, folder / "model.safetensors", metadata={"format": "pt"})
        names = {str(place): CLASSES[row].upper() for place, row in enumerate(order)}
        (folder / "config.json").write_text(json.dumps({**config, "id2label": names}))
        for found, wanted in zip(load_nli(str(folder)).probabilities(pairs), expected, strict=True):
            assert found.entailment == pytest.approx(wanted.entailment, abs=1e-6)
            assert found.neutral == pytest.approx(wanted.neutral, abs=1e-6)
            assert found.contradiction == pytest.approx(wanted.contradiction, abs=1e-6)


@pytest.mark.parametrize(
    "labels",
    [
        ("LABEL_0", "LABEL_1", "LABEL_2"),
        ("entailment", "not_entailment"),
        ("entailment", "entailment_too", "neutral"),
    ],
)
def test_labels_that_name_no_inference_are_refused(tmp_path: Path, labels: tuple[str, ...]) -> None:
    with pytest.raises(ModelFilesError, match="CAP needs entailment, neutral and contradiction"):
        load_nli(save_tiny_bert(tmp_path / "nli", labels=labels))


def test_a_model_that_writes_nothing_is_refused_as_statement_generator(
    tmp_path: Path, nli: Path
) -> None:
    with pytest.raises(ModelFilesError, match="cannot be loaded"):
        load_cap(save_tiny_encoder(tmp_path / "bert"), str(nli))


def test_a_version_is_made_of_content(cap: Cap, statements: str, nli: Path, tmp_path: Path) -> None:
    copy = load_cap(str(shutil.copytree(statements, tmp_path / "s")), str(nli))
    assert copy.version == cap.version
    assert len(cap.version) < 255
    other_statements = load_cap(save_tiny_t5(tmp_path / "t5", seed=1), str(nli))
    other_nli = load_cap(statements, save_tiny_bert(tmp_path / "nli", CLASSES, seed=1))
    assert len({cap.version, other_statements.version, other_nli.version}) == 3
