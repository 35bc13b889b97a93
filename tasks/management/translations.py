"""Texts of the interface that gettext is asked for, in Python modules and in templates, and the
files of their translations: brought in line with the texts, compiled, and examined. Needs Babel,
which only the tests bring."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileParser, write_po
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


_Strings = str | Sequence[str]
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[-#0 +\d.]*[a-zA-Z%]")
_TAG = re.compile(r"</?\w+[^>]*>")


class SteadyCatalogue(Catalog):
    """A catalogue whose header names no date, no person and no program: equal texts, equal file."""

    @property
    def _headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", f"{self.plural_forms}\n"),
        ]

    def _keep_headers(self, _headers: Iterable[tuple[str, str]]) -> None:
        """Statements of a file about itself are known already."""

    mime_headers = property(lambda self: self._headers, _keep_headers)


@dataclass(frozen=True, slots=True)
class Language:
    """A language that the interface is translated into, and its two files."""

    code: str
    folder: Path

    @property
    def source(self) -> Path:
        return self.folder / "django.po"

    @property
    def compiled(self) -> Path:
        return self.folder / "django.mo"

    def read(self) -> Catalog:
        """The translations there are, those of texts that are gone included."""
        catalogue = _empty(self.code)
        if self.source.exists():
            lines = self.source.read_text(encoding="utf-8").splitlines(keepends=True)
            PoFileParser(catalogue, abort_invalid=True).parse(lines)
        return catalogue


def update(language: Language, texts: Iterable[Text]) -> None:
    """Write both files: texts that are new stand there untranslated, others are gone."""
    catalogue = language.read()
    catalogue.update(_of(texts, language.code), no_fuzzy_matching=True)
    language.folder.mkdir(parents=True, exist_ok=True)
    language.source.write_bytes(as_source(catalogue))
    language.compiled.write_bytes(compile_catalogue(catalogue))


def as_source(catalogue: Catalog) -> bytes:
    """Sorted by text; with the files it stands in, but no lines: those move all the time."""
    file = BytesIO()
    write_po(file, catalogue, width=0, sort_output=True, ignore_obsolete=True, include_lineno=False)
    return file.getvalue()


def compile_catalogue(catalogue: Catalog) -> bytes:
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def faults(language: Language, texts: Sequence[Text]) -> list[str]:
    """All that keeps the language from being complete, one line each, places first."""
    catalogue = language.read()
    found = [
        f"{text.place}: {fault}: {text.singular!r}"
        for text in _first_of_each(texts).values()
        if (fault := _fault(catalogue.get(text.singular, text.context), catalogue.num_plurals))
    ]
    wanted = _of(texts, language.code)
    gone = [m for m in catalogue if m.id and wanted.get(m.id, m.context) is None]
    found += [f"{language.source.name}: nothing asks for {message.id!r}" for message in gone]
    found += [f"{language.source.name}: obsolete {key!r}" for key in catalogue.obsolete]
    compiled = language.compiled.read_bytes() if language.compiled.exists() else b""
    if compiled != compile_catalogue(catalogue):
        found.append(
            f"{language.compiled.name}: is not the compiled form of {language.source.name}"
        )
    return found


def _fault(message: Message | None, forms: int) -> str | None:
    if message is None:
        return "not in the catalogue"
    if message.fuzzy:
        return "translation not confirmed (fuzzy)"
    originals, given = _forms(message.id), _forms(message.string)
    if not any(given):
        return "not translated"
    if not all(given) or len(given) != (forms if message.pluralizable else 1):
        return "not in every plural form"
    for index, translated in enumerate(given):
        original = originals[min(index, len(originals) - 1)]
        for pattern, what in ((_PLACEHOLDER, "placeholders"), (_TAG, "tags")):
            if sorted(pattern.findall(original)) != sorted(pattern.findall(translated)):
                return f"{what} differ"
    return None


def _forms(strings: _Strings | None) -> tuple[str, ...]:
    return (strings or "",) if isinstance(strings, str | None) else tuple(strings)


def _first_of_each(texts: Iterable[Text]) -> Mapping[tuple[str | None, str], Text]:
    found: dict[tuple[str | None, str], Text] = {}
    for text in texts:
        found.setdefault((text.context, text.singular), text)
    return found


def _of(texts: Iterable[Text], code: str) -> Catalog:
    catalogue = _empty(code)
    for text in texts:
        place = [(text.path, text.line)]
        catalogue.add(text.msgid, locations=place, context=text.context)
    return catalogue


def _empty(code: str) -> SteadyCatalogue:
    comment = "# Translations of Tomahto's interface."
    return SteadyCatalogue(locale=code, header_comment=comment, fuzzy=False)


def languages(codes: Iterable[str], folder: Path) -> Iterator[Language]:
    for code in codes:
        yield Language(code, folder / code / "LC_MESSAGES")
