"""Prompts are files with versions, and what is filled in stays as it is."""

from pathlib import Path

import pytest

from tomahto.endpoint.chat import Message
from tomahto.generation.drafts import read_prompt

CONTENT = 'version = 3\nsystem = "Cost: $$5, $topic."\nuser = """\n$question\n"""\n'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "sample.toml"
    path.write_text(CONTENT)
    return path


def test_a_prompt_is_filled_in_once(path: Path) -> None:
    messages = read_prompt(path).messages({"topic": "$question", "question": " ${topic} {x} "})
    assert messages == [
        Message("system", "Cost: $5, $question."),
        Message("user", "${topic} {x}"),
    ]


def test_a_missing_value_is_an_error(path: Path) -> None:
    with pytest.raises(KeyError, match="question"):
        read_prompt(path).messages({"topic": "x"})


def test_the_version_tells_the_number_and_the_content(path: Path) -> None:
    first = read_prompt(path)
    path.with_name("other.toml").write_text(CONTENT.replace("Cost", "Price"))
    other = read_prompt(path.with_name("other.toml"))
    # the digest is the beginning of what sha256sum says of the file
    assert (first.name, first.version) == ("sample", f"sample-3:{first.digest}")
    assert len(first.digest) == 8
    assert (other.number, other.version == first.version) == (3, False)
