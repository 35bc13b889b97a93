"""Templates without their indentation: it is for who reads them, and would be a third of a page."""

import re

from django.template import Origin
from django.template.loaders import filesystem

_LINE_BREAK = re.compile(r"\s*\n\s*")
# A line with nothing but such a tag puts nothing on the page, so not even the line's own break.
_SILENT = "block|else|elif|empty|endblock|endfor|endif|endwith|extends|for|if|load|with"
_SILENT_LINE = re.compile(rf"\n(?={{% (?:{_SILENT})\b(?:(?!%}}).)*%}}(?:\n|\Z))")
# White space beside their tags never shows.
_BLOCKS = (
    "article|aside|body|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]"
    "|head|header|html|legend|li|link|main|meta|nav|ol|option|p|script|section|select|summary"
    "|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
# Every character fits one alternative only: a search takes time in proportion to the template.
_REST_OF_TAG = r"\b(?:{%(?:(?!%}).)*%}|{{(?:(?!}}).)*}}|{(?![%{])|[^<>{])*+>"
_BESIDE_BLOCK = re.compile(rf"\n?(</?(?:{_BLOCKS}){_REST_OF_TAG})\n?")
# A link would be underlined there. What is read out alone may begin with a space: no span.
_INTO_INLINE = re.compile(rf"(<(?:a|b|button|strong){_REST_OF_TAG})\n")
_OUT_OF_INLINE = re.compile(r"\n(?=</(?:a|b|button|label|span|strong)>)")


class Loader(filesystem.Loader):
    """Loads pages from the folders of the settings without their indentation, mails as they are."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return unindented(contents) if str(origin.name).endswith(".html") else contents


def unindented(template: str) -> str:
    """The template without white space that cannot show; of any other line break stays a space."""
    lines = _SILENT_LINE.sub("", _LINE_BREAK.sub("\n", template))
    for edge in (_BESIDE_BLOCK, _INTO_INLINE):
        lines = edge.sub(r"\1", lines)
    return _OUT_OF_INLINE.sub("", lines).replace("\n", " ")
