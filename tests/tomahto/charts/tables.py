"""Tables of every kind of cell, for properties that hold of all of them."""

from hypothesis import strategies as st

from tomahto.charts.table import Cell, Column, ColumnKind, PaperTable
from tomahto.estimates.estimate import Estimate

WORDS = st.text(max_size=8)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
_KINDS: tuple[ColumnKind, ...] = ("text", "count", "number", "percent")


@st.composite
def estimates(draw: st.DrawFn) -> Estimate:
    """With an interval, without, or undefined."""
    n, value = draw(st.integers(0, 99)), draw(NUMBERS)
    match draw(st.sampled_from(("interval", "value", "undefined"))):
        case "interval":
            low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
            level = draw(st.sampled_from((0.95, 0.9)))
            undefined = draw(st.integers(0, 9))
            return Estimate(
                value=value,
                n=n,
                low=low,
                high=high,
                replicates=9,
                undefined_replicates=undefined,
                seed=draw(st.integers(0, 2**32)),
                confidence=level,
            )
        case "value":
            return Estimate(value=value, n=n, reason=draw(st.none() | st.just("one question")))
        case _:
            return Estimate(value=None, n=n, reason="because " + draw(WORDS))


def _cells(kind: ColumnKind) -> st.SearchStrategy[Cell]:
    if kind == "text":
        return WORDS
    if kind == "count":
        return st.none() | st.integers(0, 10**9)
    return st.none() | NUMBERS | estimates()


@st.composite
def paper_tables(draw: st.DrawFn, key: str = "t") -> PaperTable:
    kinds = draw(st.lists(st.sampled_from(_KINDS), min_size=1, max_size=4))
    columns = tuple(
        Column(f"column-{place}", draw(WORDS), kind) for place, kind in enumerate(kinds)
    )
    rows = draw(st.lists(st.tuples(*map(_cells, kinds)), max_size=3))
    return PaperTable(
        key=key,
        title=draw(WORDS),
        columns=columns,
        rows=tuple(rows),
        notes=tuple(draw(st.lists(WORDS, max_size=2))),
        source=draw(WORDS),
        reasons=("nobody rated",),
    )
