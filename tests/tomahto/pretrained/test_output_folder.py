from pathlib import Path

import pytest

from tomahto.pretrained.folders import output_folder


def test_a_folder_appears_when_it_is_complete(tmp_path: Path) -> None:
    out = tmp_path / "new" / "model"
    with output_folder(out) as partial:
        (partial / "weights").write_text("1")
        assert not out.exists()
    assert [path.name for path in out.parent.iterdir()] == ["model"]
    assert (out / "weights").read_text() == "1"


def test_nothing_stays_of_a_folder_that_was_not_completed(tmp_path: Path) -> None:
    def fill_and_fail() -> None:
        with output_folder(tmp_path / "model") as partial:
            (partial / "weights").write_text("1")
            raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError):
        fill_and_fail()
    assert list(tmp_path.iterdir()) == []


def test_a_model_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    with pytest.raises(FileExistsError, match="already exists"), output_folder(tmp_path):
        pass
