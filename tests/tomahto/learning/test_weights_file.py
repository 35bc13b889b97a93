"""The rules that all files of weights share, on weights that are one number."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tomahto.learning.files import WeightsError, WeightsFile, finite_number, whole_number

FILE: WeightsFile[int] = WeightsFile(
    max_bytes=100_000,
    text_of=lambda weights: json.dumps({"x": weights}),
    from_fields=lambda fields: whole_number(fields.get("x"), "x"),
    smaller=lambda weights: f"write less than {len(str(weights))} digits",
)


def test_weights_survive_the_file_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    assert FILE.write(12, path) == path.stat().st_size == len('{"x": 12}')
    assert FILE.read(path) == 12
    assert list(tmp_path.iterdir()) == [path]
    assert FILE.digest(12) != FILE.digest(13)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "Expecting value"),
        (b"{", "Expecting property name"),
        (b"\xff\xfe", "'utf-8' codec can't decode"),
        (b"[" * 90_000, "maximum recursion depth"),
        (b'{"x": ' + b"1" * 5_000 + b"}", "Exceeds the limit"),
        (b"[]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'{"y": {"x": 1, "x": 1}}', "'x' is listed twice"),
        (b'{"x": 1.0}', "x: 1.0 is not a whole number"),
        (b'{"x": true}', "x: True is not a whole number"),
        (b" " * 100_000, "100000 bytes, the limit is 100000"),
    ],
)
def test_a_file_that_is_no_weights_is_named_with_its_fault(
    tmp_path: Path, content: bytes, fault: str
) -> None:
    path = tmp_path / "weights.json"
    path.write_bytes(content)
    with pytest.raises(WeightsError) as caught:
        FILE.read(path)
    assert str(caught.value).startswith(f"{path}: {fault}")


def test_weights_that_are_too_large_are_not_written(tmp_path: Path) -> None:
    large = 10**4_000
    short = replace(FILE, max_bytes=4_000)
    with pytest.raises(WeightsError, match="the limit is 4000; write less than 4001 digits"):
        short.write(large, tmp_path / "weights.json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "1", True, None])
def test_what_is_no_finite_number_is_refused(value: object) -> None:
    with pytest.raises(WeightsError, match=f"^x: {value!r} is not a finite number$"):
        finite_number(value, "x")
