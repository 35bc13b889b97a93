"""Numbers of processes: no two alive have the same, and those of the dead are given out again."""

import os
from pathlib import Path

from annotation_site.metrics import _take, slot


def test_number_is_free_again_once_its_holder_has_ended(tmp_path: Path) -> None:
    (first, ended), (second, other) = _take(tmp_path), _take(tmp_path)
    os.close(ended)  # as the kernel does
    third, last = _take(tmp_path)
    assert (first, second, third) == (0, 1, 0)
    os.close(other)
    os.close(last)


def test_process_keeps_its_number(tmp_path: Path) -> None:
    assert (slot(tmp_path), slot(tmp_path)) == (0, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["0.lock"]
