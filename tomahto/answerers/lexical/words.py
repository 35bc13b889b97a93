"""Words of a text with their places, and which of them say something."""

import re
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_ENDING = re.compile(r"(?:ed|ing|es|s|e)$")
_STEM_LENGTH = 6

_FUNCTION_WORDS = """
a about after against all also although among an and another any are as at be became because
been before being between both but by can could did do does doing during each either even ever
few for from had has have having he her hers him his how however i if in into is it its itself
many may might more most much must near no nor not of off on once one only or other our out
over own same she should since so some such than that the their them then there these they
this those through to too under until up upon us very via was we were what when where whether
which while who whom whose why will with within without would you your
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


class Word(NamedTuple):
    """A word as `text[start:end]`. Equal stems are taken for the same word."""

    start: int
    end: int
    lower: str

    @property
    def stem(self) -> str:
        """The first letters without a common ending: crude, but `invents` joins `invention`."""
        return _ENDING.sub("", self.lower)[:_STEM_LENGTH]

    @property
    def is_content(self) -> bool:
        return self.lower not in FUNCTION_WORDS


def words(text: str) -> list[Word]:
    """The words in order. Inner hyphens, apostrophes, points and commas belong to a word."""
    return [Word(*match.span(), match.group().lower()) for match in _WORD.finditer(text)]
