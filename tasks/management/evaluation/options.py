"""Measures of `manage.py evaluate`, their results, and the options that they share; argparse
tells what is wrong with one."""

import math
import re
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.interchange.reading.records import InputError
from tomahto.lab.judged import UNITS
from tomahto.lab.report import Section
from tomahto.matching.registry import UnknownMatcherError, matcher_or_file

Options = Mapping[str, Any]
Result = Mapping[str, Any]


class Measure(NamedTuple):
    """A subcommand: its options, and the JSON-able result of the files they name.

    `describe` gives the lines a person reads; without it the values are printed as they are.
    """

    help: str
    arguments: Callable[[ArgumentParser], None]
    work: Callable[[Options], Result]
    describe: Callable[[Result], Iterable[str]] | None = None


class SectionResult(dict[str, Any]):
    """The values that programs read, with the section whose tables people read."""

    def __init__(self, values: Result, section: Section) -> None:
        super().__init__(values)
        self.section = section


_NAME = re.compile(r"[\w-]+")
_DECIMAL = re.compile(r"\d{1,20}(?:\.\d{0,20})?|\.\d{1,20}")


def finite_number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(f"{text!r} is not a finite number")
    return value


def score_range(text: str) -> tuple[float, float]:
    low, comma, high = text.partition(",")
    if not comma or not 0 < finite_number(high) - finite_number(low) < math.inf:
        raise ArgumentTypeError(f"{text!r} is not a range such as 1,5")
    return finite_number(low), finite_number(high)


def natural_number(text: str) -> int:
    """A whole number from 0."""
    if not (text.isascii() and text.isdecimal()):
        raise ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def positive_number(text: str) -> int:
    if natural_number(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def positive_numbers(text: str) -> tuple[int, ...]:
    """Whole numbers from 1, separated by commas."""
    return tuple(positive_number(part.strip()) for part in text.split(","))


def percentage(text: str) -> int:
    """A whole number from 0 to 100."""
    if natural_number(text) > 100:
        raise ArgumentTypeError(f"{text!r} is not from 0 to 100")
    return int(text)


def matcher_argument(text: str) -> str:
    """The name of a matcher, or KIND:PATH of weights that one has trained."""
    try:
        return matcher_or_file(text)
    except UnknownMatcherError as error:
        raise ArgumentTypeError(str(error)) from error


def named_matcher(text: str) -> tuple[str, str]:
    """A matcher and the name that it is to have, as in `cfm=cfmatch:weights.json`; its own if there
    is none."""
    name, equals, matcher = text.partition("=")
    if equals and _NAME.fullmatch(name):
        return name, matcher_argument(matcher)
    return text, matcher_argument(text)


def line_range(text: str) -> range:
    """Line numbers from 1, as in 4295-15072; both ends belong to it."""
    first, _, last = text.partition("-")
    lines = range(positive_number(first), positive_number(last) + 1)
    if not lines:
        raise ArgumentTypeError(f"{text!r} ends before it begins")
    return lines


def exact_shares(text: str) -> dict[str, Fraction]:
    """Numbers from 0 to 1, separated by commas, by the text of each.

    They are exact: 0.9 is nine tenths, which no float is.
    """
    shares: dict[str, Fraction] = {}
    for name in (part.strip() for part in text.split(",")):
        if not _DECIMAL.fullmatch(name) or not 0 <= Fraction(name) <= 1:
            raise ArgumentTypeError(f"{name!r} is not a number from 0 to 1")
        if name in shares:
            raise ArgumentTypeError(f"{name!r} is named twice")
        shares[name] = Fraction(name)
    return shares


def add_out_option(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help="folder for tables and figures: Markdown, LaTeX, CSV, SVG, PNG",
    )


def add_bootstrap(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--seed", type=natural_number, default=0, help="seed of the bootstrap; default 0"
    )
    parser.add_argument(
        "--replicates",
        type=positive_number,
        default=2000,
        help="replicates of the bootstrap; default 2000",
    )


def add_unit(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--unit",
        choices=UNITS,
        default=UNITS[0],
        help='unit of one judgement: an item by its label, or each of its "ratings" (as in Bulian '
        "et al. 2022); default items",
    )


def bootstrap_of(options: Mapping[str, Any]) -> Bootstrap:
    return Bootstrap(replicates=options["replicates"], seed=options["seed"])


@contextmanager
def naming(path: Path, kind: type[ValueError]) -> Iterator[None]:
    """Errors of this kind, about what was read of a file, as an InputError that names it."""
    try:
        yield
    except InputError:
        raise
    except kind as error:
        raise InputError(str(error), file=str(path)) from error
