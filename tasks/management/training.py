"""The common steps of commands that train matchers."""

from argparse import ArgumentParser, ArgumentTypeError, _ActionsContainer
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_type_hints

from tasks.management.command import TomahtoCommand, print_line
from tasks.management.evaluation.options import (
    finite_number,
    natural_number,
    positive_number,
    positive_numbers,
)
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.interchange.judgements.places import read_held_out
from tomahto.interchange.reading.records import InputError
from tomahto.learning.files import Examples, WeightsError
from tomahto.matching.human_labels import LabelledPair, LabelledPairsError
from tomahto.releases.documents.fact_sentences import counted

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    OptionsT = TypeVar("OptionsT", bound=DataclassInstance)

_FROM_0 = ("seed",)  # other whole numbers are at least 1

EPOCHS: Mapping[str, str] = {
    "epochs": "",
    "batch_size": "",
    "learning_rate": "",
    "seed": "of all that is drawn",
}


class ModelTraining(TomahtoCommand):
    """Trains a model on `examples`, as `read` reads them. `base` is the one that the paper trains,
    `held_out` names the options with examples that it does not learn from, and `extra` its own
    ones, each with what it means."""

    examples: str
    base: str
    options: "type[DataclassInstance]"
    held_out: Mapping[str, str] = {
        "dev": "examples for choosing the best epoch",
        "test": "held-out examples for judging the best epoch",
    }
    extra: Mapping[str, str] = {}

    @staticmethod
    def read(path: Path, *, split: str = "") -> Examples[Any]:
        """As `read_labelled_pairs`."""
        raise NotImplementedError

    @staticmethod
    def train(*args: Any, **kwargs: Any) -> "DataclassInstance":
        """As `train_bem`: its report."""
        raise NotImplementedError

    def arguments(self, parser: ArgumentParser) -> None:
        add_places(parser, "file", self.examples)
        add_model_options(parser, base=self.base)
        for name, meaning in self.held_out.items():
            add_held_out(parser, name, meaning)
        add_options(parser, self.options, {**EPOCHS, **self.extra})

    def work(self, **options: Any) -> dict[str, Any]:
        train = self.read(options["file"], split=options["split"])
        learn = partial(
            self.train,
            train,
            options["out"],
            base=options["model"],
            options=options_of(self.options, options),
            progress=print_line,
        )
        return training_report(options, [train], self.read, self.held_out, learn)


def weights_report(
    options: Mapping[str, Any],
    sets: Sequence[Examples[LabelledPair]],
    train: "Callable[..., DataclassInstance]",
) -> dict[str, Any]:
    """The report of `train` on labelled answers, whose weights are judged as the options ask. An
    error of the training names the files that it learns from."""
    learn = partial(train, out=options["out"], folds=options["folds"], seed=options["seed"])

    def learn_naming_files(**judging: Examples[Any] | None) -> "DataclassInstance":
        try:
            return learn(**judging)
        except (InputError, LabelledPairsError, WeightsError):
            raise  # they name their file
        except ValueError as error:
            raise InputError(str(error), file=_names(sets)) from error

    return training_report(options, sets, read_labelled_pairs, ["test"], learn_naming_files)


def training_report(
    options: Mapping[str, Any],
    sets: Sequence[Examples[Any]],
    read: Callable[[Path], Examples[Any]],
    held_out: Iterable[str],
    train: "Callable[..., DataclassInstance]",
) -> dict[str, Any]:
    """The report of `train` on the sets, which gets what the options of the names `held_out` have,
    None where they are not given. Each is held out from the sets and the ones before it; how many
    examples are not, and left out, is `left_out`. Raises as `read_held_out` and `train`."""
    judging, left_out, known = dict[str, Examples[Any] | None](), dict[str, int](), list(sets)
    for name in held_out:
        judging[name] = None
        if path := options[name]:
            examples, left_out[name] = read_held_out(path, read, known)
            judging[name] = examples
            known.append(examples)
    print_line(f"training on {_names(sets)} …")
    return {**asdict(train(**judging)), "left_out": left_out, "path": str(options["out"])}


def _names(sets: Sequence[Examples[Any]]) -> str:
    return ", ".join(examples.name for examples in sets)


def told_left_out(result: Mapping[str, Any]) -> Iterable[str]:
    """Lines about the examples that nothing is judged by, as they are not held out."""
    for name, number in result["left_out"].items():
        if number:
            yield f"{counted(number, 'example')} of --{name} left out: training uses the question"


def add_held_out(parser: ArgumentParser, name: str, meaning: str) -> None:
    parser.add_argument(
        f"--{name}",
        type=Path,
        metavar="FILE|RELEASE:SPLIT",
        help=f"{meaning}; examples whose questions are used for training are left out",
    )


def add_places(parser: ArgumentParser, name: str, lines: str, **more: Any) -> None:
    parser.add_argument(
        name,
        type=Path,
        metavar="FILE|RELEASE",
        help=f"{lines}; or the folder of a release, or RELEASE:SPLIT",
        **more,
    )
    parser.add_argument(
        "--split", default="", metavar="NAME", help="the split of a release; default train"
    )


def add_model_options(parser: ArgumentParser, *, base: str) -> None:
    parser.add_argument(
        "--model",
        required=True,
        metavar="ID_OR_PATH",
        help=f"model to train: a folder or the id of a model on the hub, for instance {base}",
    )
    parser.add_argument("--out", required=True, type=Path, metavar="DIR", help="a new folder")


def add_options(
    parser: _ActionsContainer, kind: "type[DataclassInstance]", meanings: Mapping[str, str]
) -> None:
    """An option for each field that is given a meaning: `--batch-size` for `batch_size`."""
    types = get_type_hints(kind)
    for field in fields(kind):
        if field.name in meanings:
            option, meaning = f"--{field.name.replace('_', '-')}", meanings[field.name]
            if types[field.name] is bool:
                parser.add_argument(option, action="store_true", help=meaning)
                continue
            if field.default != ():
                meaning = f"{meaning}; default {field.default}".removeprefix("; ")
            values = _values(field.name, types[field.name])
            parser.add_argument(option, default=field.default, help=meaning, **values)


def options_of(kind: "type[OptionsT]", given: Mapping[str, Any]) -> "OptionsT":
    return kind(**{field.name: given[field.name] for field in fields(kind) if field.name in given})


def _values(name: str, wanted: Any) -> dict[str, Any]:
    if wanted == tuple[int, ...]:
        return {"type": positive_numbers, "metavar": "N,N"}
    if choices := get_args(wanted):
        return {"choices": choices}
    if wanted is float:
        return {"type": positive_real, "metavar": "X"}
    return {"type": natural_number if name in _FROM_0 else positive_number, "metavar": "N"}


def add_judging_options(parser: ArgumentParser, *, drawn: str) -> None:
    """The file of the weights, the examples that they are judged on, and the seed of what is
    `drawn`."""
    parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the weights")
    add_held_out(parser, "test", "also judge the weights on these answers")
    parser.add_argument(
        "--folds", type=natural_number, default=5, help="folds of the cross-validation; default 5"
    )
    parser.add_argument("--seed", type=natural_number, default=0, help=f"of {drawn}; default 0")


def comparison(place: str, matcher: str, found: Mapping[str, Any]) -> Iterable[str]:
    """The accuracy of the trained matcher there, and of token F1 beside it."""
    for name, title in (("matcher", matcher), ("token_f1", "token F1, tuned")):
        yield f"{place}: accuracy of {title} {with_interval(found[name])}"


def with_interval(accuracy: Mapping[str, Any]) -> str:
    asked = counted(accuracy["questions"], "question")
    return "{value} [{low}, {high}] (n = {n}, {asked})".format(asked=asked, **accuracy)


def learned_from(report: Mapping[str, Any]) -> str:
    examples = counted(report["examples"], "example")
    return f"{examples} of {counted(report['questions'], 'question')}, {report['correct']} correct"


def transfer_lines(result: Mapping[str, Any], matcher: str) -> Iterable[str]:
    """The accuracy on the test examples, if there are any."""
    if result["transfer"] is not None:
        yield from comparison("test file", matcher, result["transfer"])


def positive_real(text: str) -> float:
    value = finite_number(text)
    if value <= 0:
        raise ArgumentTypeError(f"{text!r} is not above 0")
    return value
