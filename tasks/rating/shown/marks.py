"""Texts with marks as HTML."""

from collections.abc import Iterable

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from tasks.rating.shown.reading import Segment


def marked(segments: Iterable[Segment]) -> SafeString:
    """The text with its marks. No template could: the pages show its line breaks as they are."""
    return mark_safe("".join(_marked(segment) for segment in segments))  # noqa: S308 - escaped


def _marked(segment: Segment) -> SafeString:
    if segment.mark == "own":
        return format_html('<span class="own">{}</span>', segment.text)
    pattern = '<mark class="{1}">{0}</mark>' if segment.mark else "{}"
    return format_html(pattern, segment.text, segment.mark)
