"""No text in the product's Python has a wording that a native editor would not let pass."""

import ast
from collections.abc import Iterator

from bootstrap.system import ROOT
from tasks.management.plain_words import awkward

_ROOMS = ("annotation_site", "bootstrap", "exporters", "tasks", "tomahto")
_SKIPPED = ("tasks/management/plain_words.py", "tasks/migrations/")  # the list itself; history
_KEPT = {
    # The published words of the protocol, which ratings are comparable by.
    "can stand in place of the reference",
    "cannot stand in place of the reference",
    # A name in the API.
    "anew",
    # Files of releases have these sentences, and are compared with them when verified.
    "Who maintains the dataset, and how are errors mended?",
    (
        "A candidate is an answer to a question, an item a candidate with what it is compared with."
        " What is in several splits counts in each and once in the total."
    ),
}


def test_no_text_has_an_awkward_wording() -> None:
    assert [f"{place}: {words}" for place, words in _found()] == []


def test_texts_are_read_whole_and_docstrings_are_left_alone() -> None:
    code = 'def f(n):\n    """What it does."""\n    return f"What {n} " "has stands"\n'
    assert list(_texts(ast.parse(code))) == [(3, "What _ has stands")]
    assert [words for _line, words in awkward("What _ has stands")] == [
        "What _ has stands",
        "stands",
    ]


def test_every_exception_is_needed() -> None:
    texts = {text for _place, text in _all_texts()}
    assert {text for text in texts & _KEPT if any(awkward(text))} == _KEPT


def _found() -> Iterator[tuple[str, str]]:
    for place, text in _all_texts():
        if text not in _KEPT:
            yield from ((place, words) for _line, words in awkward(text))


def _all_texts() -> Iterator[tuple[str, str]]:
    for room in _ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if not name.startswith(_SKIPPED):
                for line, text in _texts(ast.parse(path.read_text(encoding="utf-8"))):
                    yield f"{name}:{line}", text


def _texts(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and the text of each string, `_` for a value in it. No docstrings."""
    pending = [tree]
    while pending:
        match pending.pop():
            case ast.Expr(ast.Constant(str())):
                pass
            case ast.Constant(str(text)) as node:
                yield node.lineno, text
            case ast.JoinedStr(values) as node:
                parts = (part.value if isinstance(part, ast.Constant) else "_" for part in values)
                yield node.lineno, "".join(map(str, parts))
                pending += (part for part in values if not isinstance(part, ast.Constant))
            case node:
                pending += ast.iter_child_nodes(node)
