"""What the commands that train matchers share."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from tasks.management.evaluation.options import finite_number, natural_number, positive_number
from tomahto.interchange.reading.records import InputError
from tomahto.learning.weights_file import WeightsError
from tomahto.matching.training.labelled_pairs import LabelledPairsError


class Defaults(Protocol):
    """The options that every such training has."""

    @property
    def epochs(self) -> int: ...
    @property
    def batch_size(self) -> int: ...
    @property
    def learning_rate(self) -> float: ...
    @property
    def seed(self) -> int: ...


def add_training_options(
    parser: ArgumentParser, defaults: Defaults, *, base: str, has_dev: bool = True
) -> None:
    """`base` is the model that the paper trains."""
    parser.add_argument(
        "--model",
        required=True,
        metavar="ID_OR_PATH",
        help=f"what to train: a folder or the hub id of a model, for instance {base}",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="a new folder")
    if has_dev:
        parser.add_argument("--dev", type=Path, metavar="FILE", help="held-out examples")
    for option, default in (("--epochs", defaults.epochs), ("--batch-size", defaults.batch_size)):
        parser.add_argument(
            option, type=positive_number, default=default, metavar="N", help=f"default {default}"
        )
    parser.add_argument(
        "--learning-rate",
        type=positive_real,
        default=defaults.learning_rate,
        metavar="X",
        help=f"default {defaults.learning_rate}",
    )
    parser.add_argument(
        "--seed",
        type=natural_number,
        default=defaults.seed,
        help=f"of all that is drawn; default {defaults.seed}",
    )


def add_judging_options(parser: ArgumentParser, *, drawn: str) -> None:
    """Where weights go, what they are judged on, and the seed of what is `drawn`."""
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the weights")
    parser.add_argument(
        "--test", type=Path, metavar="FILE", help="judge the weights on these answers too"
    )
    parser.add_argument(
        "--folds", type=natural_number, default=5, help="of the cross-validation; default 5"
    )
    parser.add_argument("--seed", type=natural_number, default=0, help=f"of {drawn}; default 0")


@contextmanager
def naming_its_file(name: str) -> Iterator[None]:
    """Says on stderr what is learnt from; what is wrong with it is told with its name."""
    print_line(f"training on {name} …")
    try:
        yield
    except (LabelledPairsError, WeightsError):
        raise  # they name their file
    except ValueError as error:
        raise InputError(str(error), file=name) from error


def comparison(place: str, matcher: str, found: Mapping[str, Any]) -> Iterable[str]:
    """How right the trained matcher is there, and token F1 beside it."""
    for name, title in (("matcher", matcher), ("token_f1", "token F1, tuned")):
        yield (
            "{place}: accuracy of {title} {value} [{low}, {high}] "
            "(n = {n}, {questions} questions)".format(place=place, title=title, **found[name])
        )


def positive_real(text: str) -> float:
    value = finite_number(text)
    if value <= 0:
        raise ArgumentTypeError(f"{text!r} is not above 0")
    return value


def print_line(line: str) -> None:
    """Progress, for whoever watches stderr."""
    print(line, file=sys.stderr, flush=True)
