"""The words of forms in other languages: every file that is there, and how a form takes them."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.utils.translation import get_language_info

from tasks.protocols import get_protocol, protocols, wording
from tasks.protocols.definition import AnnotationProtocol
from tasks.protocols.wording import PUBLISHED, Wording, form_texts, known_names, worded

FOLDER = Path(wording.__file__).parent / "wordings"
FILES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_has_every_text_of_every_form(path: Path) -> None:
    assert list(faults(path)) == []


@pytest.mark.parametrize(
    ("original", "text", "fault"),
    [
        ("Exact", None, "no words for 'Exact' (cap)"),
        ("Exact", " ", "no words for 'Exact' (cap)"),
        ("Exakt", "Genau", "'Exakt' is no text of a form"),
        ("Exact", "Ungültig", "two answers of cap read 'Ungültig'"),
        ("Not equivalent", "Gleichwertig", "two labels of ae read 'Gleichwertig'"),
        ("Exact", "Genau", "the texts are not those of version 1: enter sha256 "),
    ],
)
def test_a_file_with_a_fault_is_named_with_its_text(
    tmp_path: Path, original: str, text: str | None, fault: str
) -> None:
    content = json.loads((FOLDER / "de.json").read_text(encoding="utf-8"))
    content["texts"] |= {original: text}
    if text is None:
        del content["texts"][original]
    path = tmp_path / "de.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert any(line.startswith(f"de.json: {fault}") for line in faults(path))


@pytest.mark.parametrize("name", ["ae", "cap", "rules", "statement"])
def test_other_words_change_nothing_but_words(name: str) -> None:
    protocol, shouting = get_protocol(name), shouted(get_protocol(name))
    assert form_texts(shouting) == tuple(map(str.upper, form_texts(protocol)))
    assert shouting.outcomes == protocol.outcomes
    assert shouting.question_schemes == protocol.question_schemes
    keys = [
        [(choice.key, choice.value, choice.when) for choice in question.choices]
        for question in protocol.questions
    ]
    assert keys == [
        [(choice.key, choice.value, choice.when) for choice in question.choices]
        for question in shouting.questions
    ]
    assert worded(protocol, PUBLISHED) is protocol


def test_yes_and_no_may_be_said_as_true_and_false_in_any_words() -> None:
    question = shouted(get_protocol("ae")).questions[0]
    assert (question.choices[0].title, question.canonical(True)) == ("YES", "yes")


def test_the_name_of_a_wording_is_its_language_and_version() -> None:
    second = Wording("pt-br", 2, {})
    assert (PUBLISHED.name, second.name, second.names) == ("", "pt-br-2", ["pt-br-1", "pt-br-2"])
    assert {"", "de-1"} <= known_names()
    assert known_names().isdisjoint({"de-0", "de-99", "de", "en-1", "tlh-1"})


def shouted(protocol: AnnotationProtocol) -> AnnotationProtocol:
    return worded(protocol, Wording("de", 1, {text: text.upper() for text in form_texts(protocol)}))


def faults(path: Path) -> Iterator[str]:
    """A line for each text that is wrong in a file of words."""
    content = json.loads(path.read_text(encoding="utf-8"))
    texts, version = content["texts"], content["version"]
    get_language_info(path.stem)  # raises KeyError for a language without a name
    known = set()
    for protocol in protocols().values():
        for text in form_texts(protocol):
            known.add(text)
            if not texts.get(text, "").strip():
                yield f"{path.name}: no words for {text!r} ({protocol.name})"
        form = worded(protocol, replace(PUBLISHED, texts=texts))
        for question in form.questions:
            yield from _twice(path, f"answers of {form.name}", [c.title for c in question.choices])
        yield from _twice(path, f"labels of {form.name}", list(form.titles.values()))
    for text in sorted(texts.keys() - known):
        yield f"{path.name}: {text!r} is no text of a form"
    found = hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()
    if content["sha256"].get(str(version)) != found:
        yield (
            f"{path.name}: the texts are not those of version {version}: enter sha256 {found} for "
            "a new file, or raise the version"
        )


def _twice(path: Path, kind: str, titles: list[str]) -> Iterator[str]:
    for title in sorted(set(titles)):
        if titles.count(title) > 1:
            yield f"{path.name}: two {kind} read {title!r}"
