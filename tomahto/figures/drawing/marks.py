"""How series differ: in colours that the colour-blind can tell apart (Okabe and Ito 2008), and in
marks, strokes and hatches for print in black and white."""

from dataclasses import dataclass
from typing import Any

from tomahto.figures.drawing.sheet import PAPER

# no two cycles have a common divisor but 1, so that their pairs come back late
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#595959")
_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_HATCHES = ("", "/////", "-----", "\\\\\\\\\\", "|||||", "xxxxx")
_STROKES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))


@dataclass(frozen=True, slots=True)
class Mark:
    """Of the series number `place`, from 0."""

    place: int

    @property
    def colour(self) -> str:
        return _COLOURS[self.place % len(_COLOURS)]

    @property
    def marker(self) -> str:
        return _MARKERS[self.place % len(_MARKERS)]

    @property
    def stroke(self) -> Any:
        return _STROKES[self.place % len(_STROKES)]

    @property
    def filling(self) -> dict[str, Any]:
        """Arguments of a bar."""
        return {
            "facecolor": self.colour,
            "edgecolor": PAPER,
            "hatch": _HATCHES[self.place % len(_HATCHES)] or None,
            "linewidth": 0.4,
        }
