"""The file of answerers: what it says is made, and every fault of it is named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tomahto.answerers.interface import Answer, QuestionToAnswer
from tomahto.answerers.registry import AnswerersFileError, Loader, read_answerers
from tomahto.options import options_from


@dataclass(frozen=True)
class Parrot:
    """An answerer that says the same to everything."""

    name: str
    word: str

    @property
    def version(self) -> str:
        return f"{self.name}|{self.word}"

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer]:
        return [Answer(question.key, self.word, 1.0) for question in questions]


@dataclass(frozen=True)
class ParrotOptions:
    word: str


def parrot(name: str, values: Mapping[str, Any]) -> Loader:
    options = options_from(ParrotOptions, values)
    return lambda: Parrot(name, options.word)


def read(path: Path) -> dict[str, Loader]:
    return read_answerers(path, taken=("lexical",), kinds={"parrot": parrot})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answerers.toml"


def test_every_table_is_an_answerer_in_the_order_of_the_file(file: Path) -> None:
    file.write_text(
        '[polly]\nkind = "parrot"\nword = "hello"\n["coco-1.5"]\nkind = "parrot"\nword = "nüsse"\n'
    )
    found = {name: load() for name, load in read(file).items()}
    assert list(found.items()) == [
        ("polly", Parrot("polly", "hello")),
        ("coco-1.5", Parrot("coco-1.5", "nüsse")),
    ]
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())  # a byte order mark is passed over
    assert list(read(file)) == ["polly", "coco-1.5"]
    file.write_text("# none yet\n")
    assert read(file) == {}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (None, ": cannot be read (No such file or directory)"),
        (b"[p\xff]\n", ": is not TOML in UTF-8"),
        ("[polly\n", ": is not TOML in UTF-8 (Expected ']' at the end of a table declaration"),
        ("[a]\n[a]\n", ": is not TOML in UTF-8 (Cannot declare ('a',) twice"),
        ("polly = 1\n", ", table [polly]: is a value; every answerer is a table"),
        ("[[polly]]\n", ", table [polly]: is a value; every answerer is a table"),
        ("[polly]\nword = 'x'\n", ", table [polly], key kind: is missing"),
        (
            "[coco-1.5]\nkind = 'parrot'\n",
            ", table [coco-1], key kind: is missing; a name with a point in it is",
        ),
        ("[polly]\nkind = 'fox'\n", ", table [polly], key kind: 'fox' is not one of parrot"),
        ("[polly]\nkind = 7\n", ", table [polly], key kind: 7 is not one of parrot"),
        ("[polly]\nkind = 'parrot'\n", ", table [polly], key word: is missing"),
        (
            "[polly]\nkind = 'parrot'\nword = 'x'\nage = 3\n",
            ", table [polly], key age: no such key; known: word",
        ),
        (
            "[polly]\nkind = 'parrot'\nword = false\n",
            ", table [polly], key word: False is not a text",
        ),
        (
            "[lexical]\nkind = 'parrot'\nword = 'x'\n",
            ", table [lexical]: the name is that of a built-in answerer",
        ),
        (
            "['the bird']\nkind = 'parrot'\nword = 'x'\n",
            ", table [the bird]: is not a name for an answerer",
        ),
        ("['']\nkind = 'parrot'\n", ", table []: is not a name for an answerer"),
        (f"[{'a' * 101}]\n", f", table [{'a' * 101}]: is not a name for an answerer"),
    ],
)
def test_a_fault_is_named_with_file_table_and_key(
    file: Path, text: str | bytes | None, fault: str
) -> None:
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(AnswerersFileError) as caught:
        read(file)
    assert str(caught.value).startswith(f"{file}{fault}")
