import shutil
from pathlib import Path

import pytest

from tomahto.pretrained.files import ModelFilesError, digest_folder, model_folder


def folder_with(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content)
    return folder


def test_a_folder_with_safetensors_is_taken(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "m", model__safetensors="x", pytorch_model__bin="y")
    assert model_folder(str(folder)) == folder


def test_a_folder_whose_weights_are_a_pickle_is_refused(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "m", config__json="{}", pytorch_model__bin="y")
    with pytest.raises(ModelFilesError) as caught:
        model_folder(str(folder))
    assert str(caught.value) == (
        f"{folder}: holds no *.safetensors file but pytorch_model.bin; other formats are not "
        "loaded, since reading a pickle can run anything. Take a revision with safetensors "
        "(ID@REVISION) or convert the model (docs/matchers-neural.md)"
    )


@pytest.mark.parametrize("location", ["/no/such/folder", "./bem", "../bem", "~/bem", "a/b/c"])
def test_a_missing_folder_is_not_looked_for_on_the_hub(location: str) -> None:
    with pytest.raises(ModelFilesError, match="no such folder"):
        model_folder(location)


def test_a_hub_that_cannot_be_reached_is_an_os_error_that_names_the_model() -> None:
    with pytest.raises(OSError, match=r"^some/model: no such folder, and no model available"):
        model_folder("some/model")


def test_a_digest_depends_on_content_alone(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "m", model__safetensors="x", config__json="{}")
    copy = shutil.copytree(folder, tmp_path / "copy")
    (copy / "card.json").write_text("{}")
    (copy / "README.md").write_text("read me")
    assert digest_folder(copy) == digest_folder(folder)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_digest_changes_with_weights_configuration_and_tokenizer(
    tmp_path: Path, name: str
) -> None:
    folder = folder_with(
        tmp_path / "m", model__safetensors="x", config__json="{}", tokenizer__json="{}"
    )
    before = digest_folder(folder)
    (folder / name).write_text("other")
    assert digest_folder(folder) != before
