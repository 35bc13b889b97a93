"""What every measure of `manage.py evaluate` is."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

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
