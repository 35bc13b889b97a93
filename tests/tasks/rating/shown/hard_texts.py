"""Texts that are hard to show: signs of Markdown, TeX and HTML, repeated, nested and growing."""

from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

SIGNS = (
    *("*", "_", "**", "`", "``", "~~", "[", "]", "(", ")", "](", "![", "[a]", "[a]: b\n", "<", ">"),
    *("> ", "- ", "+ ", "1. ", "# ", "***\n", "===\n", "---\n", "    ", "\t", "  \n", "\n", "\n\n"),
    *("|", "|-", "|a", "|-|-|\n", "\\", "\\\n", "&amp;", "&#0;", "&", "<!--", "<b>", "<http://a>"),
    *("$", "$$", "^", "_{", "{", "}", "\\frac", "\\left(", "\\right)", "\\sqrt[", "\\text{", "%"),
    *("\\begin{matrix}", "\\end{matrix}", "\\\\", "\\href{", "'", '"', "a", "b ", "a b c", "\r"),
    *("\u0301", "\u202e", "\u05d0", "\ufdfa", "\u00df", "\U0001f600", "\u2028", "\ufeff", "=1+1"),
)
_GROWTH = 400  # a growing unit is there up to so many times in a row


@dataclass(frozen=True)
class Piece:
    """Text that is `opening` times over, `middle`, and `closing` as often.

    One that `is_growing` has the opening once, then twice and so on, each time before the middle,
    as lists within lists and longer and longer fences have it.
    """

    opening: str
    middle: str
    closing: str
    times: int
    is_growing: bool

    def __str__(self) -> str:
        if self.is_growing:
            rows = range(min(self.times, _GROWTH))
            return "".join(self.opening * row + self.middle for row in rows)
        return self.opening * self.times + self.middle + self.closing * self.times


@dataclass(frozen=True)
class HardText:
    """Pieces of text, all of them again and again where it `is_filled` up to the longest text."""

    pieces: tuple[Piece, ...]
    is_filled: bool

    def upto(self, longest: int) -> str:
        """The text, of that many characters at most; never blank."""
        text = "".join(map(str, self.pieces))[:longest]
        if text and self.is_filled:
            text = (text * (longest // len(text) + 1))[:longest]
        return text if text.strip() else "a"


_parts = st.one_of(st.sampled_from(SIGNS), st.text(max_size=3))
_units = st.lists(_parts, max_size=4).map("".join)
_numbers = st.integers(0, 14).map(lambda power: 2**power)
_pieces = st.builds(Piece, _units, _units, _units, _numbers, st.booleans())
hard_texts: SearchStrategy[HardText] = st.builds(
    HardText, st.lists(_pieces, min_size=1, max_size=3).map(tuple), st.booleans()
)
