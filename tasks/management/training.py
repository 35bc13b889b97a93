"""What the commands that train transformers share."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Protocol

from tasks.management.evaluation.options import finite_number, natural_number, positive_number


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
        type=learning_rate,
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


def learning_rate(text: str) -> float:
    value = finite_number(text)
    if value <= 0:
        raise ArgumentTypeError(f"{text!r} is not above 0")
    return value


def tell(line: str) -> None:
    """Progress, for whoever watches stderr."""
    print(line, file=sys.stderr, flush=True)
