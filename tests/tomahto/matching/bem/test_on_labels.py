import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tomahto.matching.examples import EXAMPLES
from tests.tomahto.tiny_models import save_tiny_encoder
from tomahto.matching.bem import BASE
from tomahto.matching.bem.on_labels import (
    epochs_for,
    read_bem_folder,
    train_bem_on_labels,
)
from tomahto.matching.trainable import base_model
from tomahto.pretrained.files import (
    ModelFilesError,
    ModelNotSetError,
    configure_models,
    digest_folder,
)
from tomahto.pretrained.folders import ContentFolder, digest_files

PAIRS = [example.pair for example in EXAMPLES]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    location = save_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny-bert")
    configure_models({"TOMAHTO_BEM_BASE": location})
    yield location
    configure_models({})


def nothing() -> None:
    """Nobody asks for the training to end."""


def saved(folder: Path, seed: int = 3) -> ContentFolder:
    folder.mkdir()
    train_bem_on_labels(EXAMPLES, seed=seed, step=nothing).save(folder)
    return ContentFolder(folder, digest_files(folder))


@pytest.mark.models
def test_equal_labels_and_seeds_give_equal_bytes(base: str, tmp_path: Path) -> None:
    one, other = saved(tmp_path / "one"), saved(tmp_path / "other")
    assert one.digest == other.digest
    assert saved(tmp_path / "seed", seed=4).digest != one.digest
    # no pickle among them
    suffixes = {path.suffix for path in one.path.iterdir()}
    assert suffixes == {".json", ".safetensors"}


@pytest.mark.models
def test_what_was_saved_scores_as_it_did_in_memory(base: str, tmp_path: Path) -> None:
    folder = tmp_path / "bem"
    folder.mkdir()
    trained = train_bem_on_labels(EXAMPLES, seed=3, step=nothing)
    trained.save(folder)
    again = read_bem_folder(ContentFolder(folder, digest_files(folder)))
    assert again.score(PAIRS) == trained.matcher.score(PAIRS)
    assert (again.name, again.threshold) == ("bem", 0.5)
    assert again.version == (
        f"bem|in:candidate-reference-question|thr:0.5|agg:max-ref"
        f"|model:{digest_files(folder)[:12]}|v1"
    )
    card = json.loads((folder / "card.json").read_text())
    assert card["base"] == {"model": "tiny-bert", "digest": digest_folder(Path(base))}
    # 12 labels in batches of 16: one step an epoch, of 10 epochs at most
    assert (card["training"]["labels"], card["training"]["options"]["epochs"]) == (12, 10)
    losses = [epoch["loss"] for epoch in card["training"]["fit"]["epochs"]]
    assert len(losses) == 10


@pytest.mark.models
def test_files_that_were_changed_are_not_loaded(base: str, tmp_path: Path) -> None:
    folder = saved(tmp_path / "bem")
    card = folder.path / "card.json"
    card.write_text(card.read_text().replace('"threshold": 0.5', '"threshold": 0.1'))
    with pytest.raises(ModelFilesError, match="/bem: contains other files than were stored"):
        read_bem_folder(folder)


@pytest.mark.models
def test_a_training_can_be_ended_between_its_steps(base: str) -> None:
    def stop() -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        train_bem_on_labels(EXAMPLES, seed=0, step=stop)


@pytest.mark.models
def test_a_base_model_that_is_not_there_is_named_in_one_line(base: str) -> None:
    try:
        configure_models({"TOMAHTO_BEM_BASE": "nobody/nothing"})
        with pytest.raises(
            ModelFilesError, match=r"\Athe model to train, TOMAHTO_BEM_BASE: nobody/nothing: no.*\Z"
        ):
            base_model(BASE)
        configure_models({})
        with pytest.raises(ModelNotSetError, match=r"^TOMAHTO_BEM_BASE is not set: it names the"):
            base_model(BASE)
    finally:
        configure_models({"TOMAHTO_BEM_BASE": base})


@pytest.mark.parametrize(
    ("labels", "epochs"),
    # 143 steps of 16: 2,288 labels are one epoch
    [(20, 10), (228, 10), (229, 10), (300, 8), (1_000, 3), (2_288, 1), (9_090, 1)],
)
def test_few_labels_are_gone_through_several_times(labels: int, epochs: int) -> None:
    assert epochs_for(labels) == epochs
