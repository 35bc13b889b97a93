"""Templates without their indentation: it is for who reads them, and would be a third of a page."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_INDENTED = re.compile(r"\n\s+")
# A line with nothing but such a tag puts nothing on the page, so not even the line's own break.
_SILENT = "block|else|elif|empty|endblock|endfor|endif|endwith|extends|for|if|load|with"
_SILENT_LINE = re.compile(rf"\n(?={{% (?:{_SILENT})\b(?:(?!%}}).)*%}}(?:\n|\Z))")


class Loader(filesystem.Loader):
    """Loads from the folders of the settings. Between two words stays a line break, so a space."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return unindented(contents) if str(origin.name).endswith(".html") else contents


def unindented(template: str) -> str:
    """The template as it is rendered: in HTML a line break says what spaces after it would."""
    return _SILENT_LINE.sub("", _INDENTED.sub("\n", template))
