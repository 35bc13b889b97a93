import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.tomahto.matching.examples import pair
from tomahto.matching.aliases import MOST_NAMES, AliasesError, WithAliases, read_alias_table
from tomahto.matching.baselines.words import RougeL
from tomahto.matching.em import ExactMatch
from tomahto.matching.f1 import TokenF1

TABLE = [
    {"name": "George Orwell", "aliases": ["Eric Arthur Blair", "The Orwell"]},
    {"name": "Burj Khalifa", "aliases": ["Burj Dubai", "Khalifa Tower"]},
    {"name": "Orwell", "aliases": ["River Orwell"]},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "aliases.jsonl", TABLE)


def write(path: Path, entries: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("\n\n".join(json.dumps(entry) for entry in entries))
    return path


def test_any_name_of_an_entity_leads_to_the_others(path: Path) -> None:
    table = read_alias_table(path)
    names = ("Burj Khalifa", "Burj Dubai", "Khalifa Tower")
    assert set(table.expand("the burj dubai.")) == {"the burj dubai.", names[0], names[2]}
    assert table.expand("Burj") == ("Burj",)
    assert table.expand("") == ("",)


def test_ambiguous_name_has_the_names_of_all_its_entities(path: Path) -> None:
    found = read_alias_table(path).expand("Orwell")
    assert found == ("Orwell", "George Orwell", "Eric Arthur Blair", "River Orwell")


def test_entity_has_no_more_than_the_most_names(tmp_path: Path) -> None:
    names = [f"name {number}" for number in range(100)]
    table = read_alias_table(write(tmp_path / "many", [{"name": "x", "aliases": names}]))
    assert table.expand("x") == ("x", *names[: MOST_NAMES - 1])


def test_reference_and_candidate_are_expanded(path: Path) -> None:
    matcher = WithAliases(ExactMatch(), read_alias_table(path))
    assert matcher.score(
        [
            pair("Eric Arthur Blair", "George Orwell"),
            pair("River Orwell", "Burj Dubai"),
            pair("Eric Blair", "George Orwell"),
            pair("Khalifa Tower", "Big Ben", "Burj Dubai"),
        ]
    ) == [1.0, 0.0, 0.0, 1.0]


def test_score_is_never_lower_than_without_the_table(path: Path) -> None:
    table = read_alias_table(path)
    pairs = [
        pair(candidate, reference)
        for candidate in ("George Orwell", "Burj", "the Khalifa Tower in Dubai", "")
        for reference in ("Orwell", "Burj Khalifa", "Big Ben")
    ]
    for matcher in (TokenF1(), RougeL()):
        plain, expanded = matcher.score(pairs), WithAliases(matcher, table).score(pairs)
        assert all(more >= less for less, more in zip(plain, expanded, strict=True))
        assert sum(expanded) > sum(plain)


def test_version_follows_the_content_of_the_table_not_its_order(path: Path, tmp_path: Path) -> None:
    digest = read_alias_table(path).digest
    assert read_alias_table(write(tmp_path / "turned", TABLE[::-1])).digest == digest
    assert read_alias_table(write(tmp_path / "less", TABLE[1:])).digest != digest
    version = WithAliases(ExactMatch(), read_alias_table(path)).version
    assert version == f"em+aliases|aliases:{digest}|{ExactMatch().version}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ": holds no names"),
        (b"\n\n", ": holds no names"),
        (b"[]", ", line 1: not a JSON object"),
        (
            b'\n{"name": 3, "aliases": []}',
            ", line 2, field name: 3 is not a text with a word in it",
        ),
        (
            b'{"name": " ", "aliases": []}',
            ", line 1, field name: ' ' is not a text with a word in it",
        ),
        (b'{"name": "x", "aliases": "y"}', ", line 1, field aliases: not a list of texts"),
        (b'{"name": "x", "aliases": [1]}', ", line 1, field aliases: not a list of texts"),
        *((each, ", line 1: not JSON in UTF-8") for each in (b'{"x"', b"\xff\xfe", b"[" * 100_000)),
    ],
)
def test_wrong_line_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(content)
    with pytest.raises(AliasesError) as caught:
        read_alias_table(path)
    assert str(caught.value).startswith(f"{path}{message}")
