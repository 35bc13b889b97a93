"""Choices for a release: how it is split, and what it leaves out on purpose. docs/splits.md
explains splits to users; they are written

    document:dev=30,test=70     documents are kept whole; shares are of items, in per cent
    folds:5                     fold1 to fold5 of equal shares, documents kept whole
    system:dev=bidaf,test=xlnet+luke    by the systems that gave the candidate
    predefined:dev,test         the splits of the source; without names all of them

Options follow after further colons: `stratify=label` and `leaks=report` where documents are kept
whole, `others=omit` by system and of predefined splits. `keep=train`, where documents are kept
whole, leaves there what the source has in its split `train`, and divides the rest.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from decimal import Decimal
from typing import Any
from urllib.parse import quote, unquote

from tomahto.releases.records.fields import Fields, ReleaseError
from tomahto.releases.records.records import SplitSpec

SYNTAX = "document:dev=30,test=70, folds:5, system:dev=bidaf,test=xlnet+luke or predefined"
MOST_FOLDS = 100
_KEEP = "keep=SPLIT"
_OPTIONS = {
    "document": {"stratify=label": "stratified", "leaks=report": "reports_leaks"},
    "folds": {"stratify=label": "stratified", "leaks=report": "reports_leaks"},
    "system": {"others=omit": "omits_others"},
    "predefined": {"others=omit": "omits_others"},
}
_NAME = re.compile(r"[a-z0-9_]+")
_SHARE = re.compile(r"[0-9]+(\.[0-9]+)?")
_FOLDS = re.compile(r"[1-9][0-9]{0,8}")
_TOLERANCE = 0.01  # per cent; three thirds may be written 33.333


class SplitError(ReleaseError):
    """A split that is not well written, or that these items cannot make."""


def parse_split_spec(text: str) -> SplitSpec:
    """Read a split as written above.

    Raises SplitError, in one line, if it is of no known kind, a name is not made of a-z, 0-9 and
    _ or is `all`, a name or a system repeats, shares are not positive or do not sum to 100, folds
    are not from 2 to 100, or an option is not one of its kind.
    """
    by, *parts = text.split(":")
    if by not in _OPTIONS or not (parts or by == "predefined"):
        raise SplitError(f"split {text!r} is not written like {SYNTAX}")
    if by == "system":
        named = _named_parts(text, parts.pop(0), "NAME=SYSTEM+SYSTEM")
        systems = {name: tuple(sorted(map(unquote, each.split("+")))) for name, each in named}
        spec = SplitSpec(by, {}, systems=systems)
    elif by == "folds":
        spec = SplitSpec(by, _parse_folds(text, parts.pop(0)))
    elif by == "document":
        spec = SplitSpec(by, _parse_shares(text, parts.pop(0)))
    else:
        is_named = bool(parts) and "=" not in parts[0]
        spec = SplitSpec(by, {}, predefined=_parse_names(text, parts.pop(0)) if is_named else ())
    for option in parts:
        spec = _with_option(spec, text, option)
    check_split_spec(spec)
    return spec


def _parse_shares(text: str, parts: str) -> dict[str, float]:
    shares: dict[str, float] = {}
    for name, share in _named_parts(text, parts, "NAME=PERCENT"):
        if not _SHARE.fullmatch(share):
            raise SplitError(f"split {text!r}: '{name}={share}' is not written like NAME=PERCENT")
        shares[name] = float(share)
    return shares


def _parse_folds(text: str, folds: str) -> dict[str, float]:
    if not _FOLDS.fullmatch(folds) or not 2 <= int(folds) <= MOST_FOLDS:
        raise SplitError(
            f"split {text!r}: folds are a number from 2 to {MOST_FOLDS}, as in folds:5"
        )
    return {f"fold{number}": 100 / int(folds) for number in range(1, int(folds) + 1)}


def _parse_names(text: str, parts: str) -> tuple[str, ...]:
    names = tuple(parts.split(","))
    for name in names:
        if names.count(name) > 1:
            raise SplitError(f"split {text!r}: {name!r} is named twice")
    return names


def _named_parts(text: str, parts: str, form: str) -> Iterator[tuple[str, str]]:
    names = set[str]()
    for part in parts.split(","):
        name, equals, value = part.partition("=")
        if not equals or not value:
            raise SplitError(f"split {text!r}: {part!r} is not written like {form}")
        if name in names:
            raise SplitError(f"split {text!r}: {name!r} is named twice")
        names.add(name)
        yield name, value


def _with_option(spec: SplitSpec, text: str, option: str) -> SplitSpec:
    known = _OPTIONS[spec.by]
    if spec.shares and option.startswith("keep="):
        kept = _parse_names(text, option.removeprefix("keep="))
        return replace(spec, kept=tuple(sorted([*spec.kept, *kept])))
    if option not in known:
        names = ", ".join([*known, *([_KEEP] if spec.shares else [])])
        raise SplitError(
            f"split {text!r}: {option!r} is not an option of {spec.by}; its options are {names}"
        )
    return replace(spec, **{known[option]: True})  # type: ignore[arg-type]  # all are flags


def format_split_spec(spec: SplitSpec) -> str:
    """The text that `parse_split_spec` reads back as the same specification."""
    if spec.by == "folds":
        parts = str(len(spec.shares))
    elif spec.by == "system":
        systems = spec.systems.items()
        parts = ",".join(f"{name}={'+'.join(map(_quoted, found))}" for name, found in systems)
    elif spec.by == "predefined":
        parts = ",".join(spec.predefined)
    else:
        shares = spec.shares.items()
        parts = ",".join(f"{name}={format_share(share)}" for name, share in shares)
    options = [option for option, flag in _OPTIONS[spec.by].items() if getattr(spec, flag)]
    kept = f"keep={','.join(spec.kept)}" if spec.kept else ""
    return ":".join(filter(None, [spec.by, parts, *options, kept]))


def _quoted(system: str) -> str:
    """The name with what separates here, and the percent sign, as in addresses."""
    return "".join(quote(sign, safe="") if sign in ",+=:%" else sign for sign in system)


def format_share(share: float) -> str:
    return f"{Decimal(repr(float(share))):f}".removesuffix(".0")


def check_split_spec(spec: SplitSpec) -> None:
    """Raise SplitError unless the specification can be followed."""
    if spec.by not in _OPTIONS:
        raise SplitError(f"splits are made by {', '.join(_OPTIONS)}, not by {spec.by!r}")
    for name in spec.names:
        check_split_name(name)
        if spec.names.count(name) > 1:
            raise SplitError(f"split {name!r} is named twice")
    if spec.by == "system":
        for name, systems in spec.systems.items():
            if not all(systems):
                raise SplitError(f"split {name!r} names a system without a name")
            if len(set(systems)) < len(systems):
                raise SplitError(f"split {name!r} names a system twice")
    elif spec.by != "predefined":
        _check_shares(spec.shares)


def check_split_name(name: str) -> None:
    """Raise SplitError unless a split can be called so."""
    # Dashes are left out because `datasets` refuses them in the name of a split.
    if not _NAME.fullmatch(name):
        raise SplitError(f"split name {name!r} may hold only a-z, 0-9 and _")
    if name == "all":
        raise SplitError("a split cannot be called 'all': `datasets` means every split by it")


def _check_shares(shares: Mapping[str, float]) -> None:
    for name, share in shares.items():
        if not share > 0:
            raise SplitError(f"split {name!r} has the share {share}; a share is above 0")
    total = sum(shares.values())
    if not abs(total - 100) <= _TOLERANCE:
        raise SplitError(f"the shares sum to {format_share(total)}, not to 100")


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
    """The numbers of records that a selection left out of a release.

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
        """The numbers of records that the selection left out. Raises ReleaseError naming `place`
        and the field that is wrong, be it that the filters are others or that the numbers cannot
        be."""
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
