"""How a split is written, and what may be asked for. docs/splits.md explains it to users.

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
from dataclasses import replace
from decimal import Decimal
from urllib.parse import quote, unquote

from tomahto.releases.records.errors import ReleaseError
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
        spec = SplitSpec(by, {}, systems=_parse_systems(text, parts.pop(0)))
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


def _parse_systems(text: str, parts: str) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(sorted(unquote(system) for system in systems.split("+")))
        for name, systems in _named_parts(text, parts, "NAME=SYSTEM+SYSTEM")
    }


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
        _check_systems(spec.systems)
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


def _check_systems(systems: Mapping[str, tuple[str, ...]]) -> None:
    for name, found in systems.items():
        if not all(found):
            raise SplitError(f"split {name!r} names a system without a name")
        if len(set(found)) < len(found):
            raise SplitError(f"split {name!r} names a system twice")
