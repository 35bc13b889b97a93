"""The texts that the interface asks gettext for, found in Python modules and in templates."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from babel.messages.extract import extract
from django.utils.translation.template import templatize

SOURCES = ("annotation_site", "tasks", "templates", "tomahto")
"""The library knows no gettext; it marks what pages show by `gettext_noop` of its own."""

_PLAIN, _PLURAL, _CONTEXT, _BOTH = None, (1, 2), ((1, "c"), 2), ((1, "c"), 2, 3)
_FUNCTIONS = {
    "_": _PLAIN,
    **dict.fromkeys(("gettext", "gettext_lazy", "gettext_noop"), _PLAIN),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), _PLURAL),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), _CONTEXT),
    **dict.fromkeys(("npgettext", "npgettext_lazy"), _BOTH),
}
_LITERAL = r"""u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_CALL = re.compile(rf"\b(_|gettext|n?pgettext|ngettext)\(({_LITERAL}(?:, ?{_LITERAL})*)")


@dataclass(frozen=True, slots=True)
class Text:
    """One text as gettext is asked for it, and where. `path` is relative to the checkout."""

    path: str
    line: int
    singular: str
    plural: str | None = None
    context: str | None = None

    @property
    def msgid(self) -> str | tuple[str, str]:
        return self.singular if self.plural is None else (self.singular, self.plural)

    @property
    def place(self) -> str:
        return f"{self.path}, line {self.line}"


def texts_in(root: Path) -> Iterator[Text]:
    """Every text of the checkout, in the order of the files."""
    for source in SOURCES:
        for path in sorted((root / source).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix in {".html", ".txt"}:  # pages, and mails
                yield from texts_of_template(name, path.read_text(encoding="utf-8"))
            elif path.suffix == ".py" and "migrations" not in path.parts:
                yield from texts_of_module(name, path)


def texts_of_module(name: str, path: Path) -> Iterator[Text]:
    with path.open("rb") as file:
        for line, found, _comments, context in extract("python", file, _FUNCTIONS):
            strings = (found,) if isinstance(found, str) else found
            yield _text(name, line, [*([context] if context else []), *strings], bool(context))


def texts_of_template(name: str, template: str) -> Iterator[Text]:
    """Django rewrites a template into calls of gettext for tools like this one."""
    calls = templatize(template, origin=name)
    for match in _CALL.finditer(calls):
        strings = [str(ast.literal_eval(each)) for each in re.findall(_LITERAL, match[2])]
        line = calls.count("\n", 0, match.start()) + 1
        yield _text(name, line, strings, has_context="pgettext" in match[1])


def _text(path: str, line: int, strings: Sequence[str], has_context: bool) -> Text:
    context, texts = (strings[0], strings[1:]) if has_context else (None, strings)
    return Text(path, line, texts[0], texts[1] if len(texts) > 1 else None, context)
