"""The text of a message made safe to show: plain, with its links and those whom it names."""

import re
from collections.abc import Callable

from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

_ADDRESS = re.compile(r"https?://[^\s<>\"'`\\]+", re.IGNORECASE)
_NOT_AT_THE_END = ".,;:!?…)]}*_~|"


def as_html(text: str, names: re.Pattern[str] | None = None) -> SafeString:
    """The text escaped; a web address leads where it says, whoever is named stands out."""

    def name_html(found: re.Match[str]) -> str:
        return format_html('<b class="named">{}</b>', found[0])

    def plain(part: str) -> str:
        return _replaced(names, part, name_html, escape) if names else escape(part)

    html = _replaced(_ADDRESS, text, _link, plain)
    return mark_safe(html)  # noqa: S308 - every part is escaped


def _link(found: re.Match[str]) -> str:
    """What is more likely to end the sentence than the address stays outside."""
    address = found[0].rstrip(_NOT_AT_THE_END)
    if found[0].startswith(f"{address})") and "(" in address:
        address += ")"
    link = format_html(
        '<a href="{0}" rel="nofollow noopener noreferrer ugc" target="_blank">{0}</a>', address
    )
    return link + escape(found[0][len(address) :])


def _replaced(
    pattern: re.Pattern[str],
    text: str,
    inside: Callable[[re.Match[str]], str],
    outside: Callable[[str], str],
) -> str:
    """The text with what matches and what stands between put into words of HTML."""
    parts, end = [], 0
    for found in pattern.finditer(text):
        parts += [outside(text[end : found.start()]), inside(found)]
        end = found.end()
    return "".join([*parts, outside(text[end:])])
