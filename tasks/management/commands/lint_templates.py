import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.template import TemplateSyntaxError
from django.template.loader import get_template

from tasks.management.command import TomahtoCommand
from tasks.management.plain_words import awkward, nameless

_COMMENT = re.compile(r"{#.*?#}|{% comment %}.*?{% endcomment %}", re.DOTALL)
_TRANSLATED = re.compile(r"{% blocktranslate\b.*?{% endblocktranslate %}", re.DOTALL)
_CLASSES = re.compile(r"{% block main_class %}.*?{% endblock %}")
_TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
_QUOTED = re.compile(r"""(?:{%\s*translate\s+|_\()(["'])(.*?)\1""", re.DOTALL)
_UNSAFE = re.compile(r"\|\s*safe\b|{%\s*autoescape\s+off|\|\s*safeseq\b")
_DATE = re.compile(r"""\|\s*(?:date|time):(["'])(.*?)\1""")
# How each language writes it, by name; "c" is for programs.
_DATE_FORMATS = {
    *("DATE_FORMAT", "DATETIME_FORMAT", "SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT"),
    *("TIME_FORMAT", "c"),
}
_WIDTH = 160  # characters; djLint breaks tags, but no sentence and no condition
_LETTERS = re.compile(r"[^\W\d_]{2,}")
_NOT_PROSE = {"code", "kbd", "pre", "script", "style"}
_TRANSLATED_ATTRIBUTES = {"aria-label", "alt", "title", "placeholder"}
# Names, and what every language writes alike.
_SAME_EVERYWHERE = {"Tomahto"}


class Command(TomahtoCommand):
    help = (
        "Check what djLint has no rule for: every page template compiles, needs no unsafe-inline, "
        "carries CSRF tokens, holds no text that cannot be translated and no date in the format "
        "of one language; no line of a page or mail is longer than 160 characters, and a native "
        "editor would change no wording."
    )

    def work(self, **options: Any) -> dict[str, Any]:  # noqa: ARG002 - has no options
        root = settings.BASE_DIR / "templates"
        paths = sorted(root.rglob("*.html"))
        faults = [fault for path in paths for fault in faults_of(path, root)]
        for path in sorted(root.rglob("*.*")):
            faults += [*long_lines(path, root), *wordings(path, root)]
        if faults:
            raise CommandError("\n".join(faults))
        return {"templates": len(paths)}


def faults_of(path: Path, root: Path) -> Iterator[str]:
    """Everything wrong with one template, each as `path, line N: what`."""
    name, text = str(path.relative_to(root)), path.read_text(encoding="utf-8")
    try:
        get_template(name)
    except TemplateSyntaxError as error:
        yield f"{name}: {error}"
    for match in _UNSAFE.finditer(text):
        yield f"{name}, line {_line(text, match.start())}: {match[0].strip()} turns escaping off"
    for match in _DATE.finditer(text):
        if match[2] not in _DATE_FORMATS:
            yield f"{name}, line {_line(text, match.start())}: {match[0]} fits one language only"
    reader = _Reader(name)
    # without Django's tags and translated blocks, on the same lines
    for pattern in (_COMMENT, _TRANSLATED, _CLASSES, _TAG):
        text = pattern.sub(_stand_in, text)
    reader.feed(text)
    yield from reader.faults


def long_lines(path: Path, root: Path) -> Iterator[str]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if len(line) > _WIDTH:
            yield f"{path.relative_to(root)}, line {number}: {len(line)} characters"


def wordings(path: Path, root: Path) -> Iterator[str]:
    prose = _COMMENT.sub(_stand_in, path.read_text(encoding="utf-8"))
    prose = _TAG.sub(_prose_of, prose)
    for number, words in sorted([*awkward(prose), *nameless(prose)]):
        yield f"{path.relative_to(root)}, line {number}: not plain English: {words.rstrip('|<{')!r}"


class _Reader(HTMLParser):
    """Reads the HTML of a template from which Django's tags have been taken."""

    def __init__(self, name: str) -> None:
        super().__init__(convert_charrefs=True)
        self.name = name
        self.faults: list[str] = []
        self.open: list[str] = []
        self.form_without_token: int | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {key: value or "" for key, value in attrs}
        self.open.append(tag)
        for name, value in attributes.items():
            if name.startswith("on"):
                self._fault(f"inline {name}")
            if name in _TRANSLATED_ATTRIBUTES and _untranslated(value):
                self._fault(f"{name} that is not translated: {value!r}")
        if tag == "style" or (tag == "script" and "src" not in attributes):
            self._fault(f"inline <{tag}>")
        # a form of another site must not learn the token
        is_ours = "external" not in attributes.get("rel", "").split()
        if tag == "form" and attributes.get("method") == "post" and is_ours:
            self.form_without_token = self.getpos()[0]

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass
        if tag == "form" and self.form_without_token is not None:
            self._fault("post form without csrf_token", self.form_without_token)
            self.form_without_token = None

    def handle_data(self, data: str) -> None:
        if _CSRF in data:
            self.form_without_token = None
            data = data.replace(_CSRF, "")
        if self.open and self.open[-1] in _NOT_PROSE:
            return
        if words := _untranslated(data):
            self._fault(f"text that is not translated: {words!r}")

    def _fault(self, what: str, line: int | None = None) -> None:
        self.faults.append(f"{self.name}, line {line or self.getpos()[0]}: {what}")


_CSRF = "\N{KEY}"  # stands for {% csrf_token %} once the tags are gone


def _untranslated(text: str) -> str:
    words = " ".join(word for word in text.split() if word not in _SAME_EVERYWHERE)
    return words if _LETTERS.search(words) else ""


def _stand_in(match: re.Match[str]) -> str:
    newlines = "\n" * match[0].count("\n")
    return (_CSRF if match[0] == "{% csrf_token %}" else "") + newlines


def _prose_of(tag: re.Match[str]) -> str:
    """The visible text of a tag, on the same lines; `|` separates texts."""
    texts = [quoted[2] for quoted in _QUOTED.finditer(tag[0])]
    seen = "…" if tag[0].startswith("{{") and not texts else "|".join(["", *texts, ""])
    return seen + "\n" * tag[0].count("\n")


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
