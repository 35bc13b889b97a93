import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.reading.input_file import BLANK_LINES, EMPTY_LINES, InputFile, TextStream
from tomahto.interchange.reading.records import MAX_DOCUMENT_BYTES, MAX_RECORD_SIZE, InputError

# What UTF-8 can write and an import accepts.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))


def refusal(path: Path, name: str | None = None) -> str:
    with pytest.raises(InputError) as caught:
        list(InputFile.at(path, name).lines())
    return str(caught.value)


def test_lines_are_numbered_and_end_at_line_feeds_only(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes("a\r\n\u2028b\rc\n\nd".encode())
    expected = [(1, "a\r\n"), (2, "\u2028b\rc\n"), (3, "\n"), (4, "d")]
    assert list(InputFile.at(path).lines()) == expected


def test_line_of_the_greatest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"a" * (MAX_RECORD_SIZE - 1) + b"\nb")
    assert [(number, len(line)) for number, line in InputFile.at(path).lines()] == [
        (1, MAX_RECORD_SIZE),
        (2, 1),
    ]
    path.write_bytes(b"a" * MAX_RECORD_SIZE + b"\n")
    assert refusal(path, "f") == "f, line 1: is longer than 8 MiB"


def test_directory_pipe_and_device_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path(os.devnull)):
        assert refusal(path, "f") == "f: is not a regular file"


def test_missing_file_and_dangling_link_are_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    for path in (tmp_path / "gone", tmp_path / "link"):
        assert refusal(path, "f") == "f: cannot be opened: No such file or directory"


def test_link_is_followed_to_the_file_it_names(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("a")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert list(InputFile.at(tmp_path / "link").lines()) == [(1, "a")]


def test_link_to_a_device_is_refused(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/dev/zero")
    assert refusal(tmp_path / "link", "f") == "f: is not a regular file"


def test_name_is_shown_on_one_line(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"\0")
    shown = refusal(tmp_path / "f", "a\n\x1b[31m\u202eb.csv")
    assert shown == "a\ufffd\ufffd[31m\ufffdb.csv, line 1: holds a NUL character"


def test_file_without_a_name_is_called_by_its_path(tmp_path: Path) -> None:
    assert refusal(tmp_path).startswith(f"{tmp_path}: ")


def test_document_over_the_size_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_bytes(b'{"data": []}')
    assert list(read_questions(path, format=None, max_document_bytes=12)) == []
    os.truncate(path, MAX_DOCUMENT_BYTES + 1)  # a hole, no bytes on disk
    with pytest.raises(InputError) as caught:
        list(read_questions(path, format=None, name="f.json"))
    message = "has 1,073,741,825 bytes; the limit is 1,073,741,824"
    assert str(caught.value) == f"f.json: {message}"


@settings(deadline=None)  # a machine under load takes its time
@given(TEXTS, st.integers(4, 9))
def test_text_stream_gives_the_text_whatever_the_size(text: str, size: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "f"
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
        file = InputFile.at(path)
        with file.open() as binary:
            stream = TextStream(file, binary)
            assert "".join(iter(lambda: stream.read(size), "")) == text


@pytest.mark.parametrize("size", [4, 5, 6, 7, 8, 64])
def test_text_stream_names_the_bad_byte_whatever_the_size(size: int, tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes("é\n\n\U0001f600a".encode() + b"\xff")  # offsets 0, 2, 3, 4, 8, 9
    file = InputFile.at(path, "f")
    with file.open() as binary:
        stream = TextStream(file, binary)
        with pytest.raises(InputError) as caught:
            list(iter(lambda: stream.read(size), ""))
    assert str(caught.value) == "f, line 3: is not UTF-8: byte 0xFF at offset 9 of the file"


@pytest.mark.parametrize(
    ("blanks", "line"),
    [
        (BLANK_LINES, b"\n"),
        (BLANK_LINES, b" \t\r\n"),
        (BLANK_LINES, b"\f\n"),
        (BLANK_LINES, b"\v\r\f\n"),
        (EMPTY_LINES, b"\r\n"),
    ],
)
def test_blank_lines_are_counted_without_being_looked_at(
    tmp_path: Path, blanks: re.Pattern[bytes], line: bytes
) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"first\n" + line * 5_000_000 + b"  last\n" + line * 9 + b" ")
    found = list(InputFile.at(path).lines(blanks))
    # one in each of the buffers that end within a line
    filled = [(number, text) for number, text in found if text.strip()]
    assert (filled, len(found) < 5_000) == ([(1, "first\n"), (5_000_002, "  last\n")], True)


def test_blank_lines_stay_where_they_are_part_of_something(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"\n\na\n\nb\n")
    seen: list[int] = []
    for number, _line in InputFile.at(path).lines(EMPTY_LINES, lambda: not seen):
        seen.append(number)
    assert seen == [3, 4, 5]
