"""The selection of a release: what it leaves out on purpose, and how much."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.fields import Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Filters of what is released; by default nothing is left out.

    `without_controls`: leave out items that repeat a control item, whose answer is known;
    `without_deactivated`: no ratings of raters who are deactivated, in the campaign or altogether;
    `guideline_versions`: only ratings given under one of these, in ascending order; none means any;
    `consented_only`: only ratings of raters who have agreed to the consent text, in any version.
    """

    without_controls: bool = False
    without_deactivated: bool = False
    guideline_versions: tuple[int, ...] = ()
    consented_only: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "guideline_versions", tuple(sorted({*self.guideline_versions})))

    @property
    def filters(self) -> tuple[str, ...]:
        """The names of the filters that are on."""
        return tuple(each.name for each in fields(self) if getattr(self, each.name))

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"guideline_versions": list(self.guideline_versions)}

    @classmethod
    def from_json(cls, data: object, place: str = "selection") -> "Selection":
        """Raises ReleaseError naming `place` and the field that is wrong."""
        found = Fields(data, place)
        return cls(
            without_controls=found.flag("without_controls"),
            without_deactivated=found.flag("without_deactivated"),
            guideline_versions=found.counts("guideline_versions"),
            consented_only=found.flag("consented_only"),
        )


EVERYTHING = Selection()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """How much a selection left out of what is there to be released.

    `items` say the same as a control item. `ratings` counts, counted and surplus ones alike, those
    that a filter leaves out; `by_filter` those of each filter that is on. A rating that several
    leave out is counted by each of them, and once in `ratings`.
    """

    items: int = 0
    ratings: int = 0
    by_filter: Mapping[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {
            "items": self.items,
            "ratings": self.ratings,
            "ratings_by_filter": dict(self.by_filter),
        }

    @classmethod
    def from_json(cls, data: object, selection: Selection, place: str) -> "LeftOut":
        """What the selection left out. Raises ReleaseError naming `place` and the field that is
        wrong, be it that the filters are others or that the numbers cannot be."""
        found = Fields(data, place)
        groups = found.object("ratings_by_filter")
        if set(groups.data) != set(selection.filters):
            raise found.error("ratings_by_filter", "does not have the filters of the selection")
        by_filter = {name: groups.count(name) for name in selection.filters}
        left_out = cls(
            items=found.count("items"), ratings=found.count("ratings"), by_filter=by_filter
        )
        if left_out.items and not selection.without_controls:
            raise found.error("items", f"is {left_out.items}, without a filter of items")
        if not max(by_filter.values(), default=0) <= left_out.ratings <= sum(by_filter.values()):
            raise found.error("ratings", f"is {left_out.ratings}, which no union of its parts has")
        return left_out


NOTHING = LeftOut()


def nothing_left(left_out: LeftOut, ratings: int) -> ReleaseError:
    """Why there is nothing to release; `ratings` are left, none of them counted."""
    if not left_out.ratings:
        return ReleaseError("no item has a counted rating: there is nothing to release")
    parts = ", ".join(f"{name} leaves out {count}" for name, count in left_out.by_filter.items())
    return ReleaseError(
        "the selection leaves no item with a counted rating: of "
        f"{ratings + left_out.ratings} ratings {parts}"
    )
