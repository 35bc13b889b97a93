"""Wordings that a native editor would not let pass, looked for in pages, mails and documents."""

import re
from collections.abc import Iterator

_CODE = re.compile(r"^```.*?^```|`[^`]*`", re.DOTALL | re.MULTILINE)
# Up to the end of the sentence, cell, element or paragraph that it opens.
_CLAUSE = re.compile(
    r"(?<![\w'’-])Who(?:ever)?\b[^.?!|<{]*?(?:[.?!|<{]|\n\s*\n|\Z)|"
    r"(?<![\w'’-])What(?:ever)?\b[^.?!|<{]*?(?:[.?!|<{]|\n\s*\n|\Z)"
)
_WORDS = re.compile(
    r"""
    (?<![\w-])
    (?: stands? (?! \s+ (?: out | for ) \b ) | stood | lies? | anew | mend(?:s|ed|ing)?
      | (?: is | are | was | were | be | been ) \s+ told
      | (?: is | are | was | were ) \s+ there (?! [^.|]* \? )
    )
    (?![\w-])
    """,
    re.VERBOSE | re.IGNORECASE,
)
# "That" before anything but a verb names something: "That link".
_PRONOUN = re.compile(
    r"\|\s*(?:(?:It|They)\b|That\s+(?:is|was|has|had|can|may|will|would|must)\b)[^.?!|<{]*"
)


def awkward(text: str) -> Iterator[tuple[int, str]]:
    """The line and the words of each such place; code between backticks is left alone."""
    text = _CODE.sub(lambda code: re.sub(r"[^\n]", "_", code[0]), text)
    for match in _CLAUSE.finditer(text):
        if not match[0].endswith("?"):
            yield text.count("\n", 0, match.start()) + 1, " ".join(match[0].split())
    for match in _WORDS.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, " ".join(match[0].split())


def nameless(prose: str) -> Iterator[tuple[int, str]]:
    """The line and the words of each text of a page that opens with "It", "They" or "That is":
    whoever comes to it from elsewhere on the page cannot know the noun. A `|` opens each text."""
    for match in _PRONOUN.finditer(prose):
        start = match.end() - len(match[0].lstrip("|").lstrip())
        yield prose.count("\n", 0, start) + 1, " ".join(match[0].lstrip("|").split())
