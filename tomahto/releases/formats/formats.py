"""The further formats of a release: which there are, which a release has, and their files.

Parquet, JSON lines and CSV are in every release, and the AE format in every one of `ae`. Of the
others, those that papers' readers look for are written by default: they say every passage once, or
none. Those for other tools are written on request, because they say a passage again for every item
or rating.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.files.folder import NewFolder
from tomahto.releases.files.text_files import FormatFile, text_check
from tomahto.releases.formats.ae import ae_files, ae_files_0_1_0
from tomahto.releases.formats.cap import (
    cap_correctness_files,
    cap_correctness_files_0_1_0,
    cap_statements_files,
    cap_statements_files_0_1_0,
)
from tomahto.releases.formats.doccano import doccano_files
from tomahto.releases.formats.label_studio import CONFIG, TASKS, label_studio_files
from tomahto.releases.formats.squad import squad_files
from tomahto.releases.records.fields import ReleaseError


@dataclass(frozen=True, slots=True)
class ReleaseFormat:
    """A format: its name, what it is, the paths of its files in a release with certain splits, and
    the files of a dataset. It `suits` a protocol by its name and its accepted labels; one that is
    not to be chosen is in every release that it suits. Releases of 0.1.0 may have other
    `files_0_1_0`."""

    name: str
    meaning: str
    paths: Callable[[Sequence[str]], tuple[str, ...]]
    files: Callable[[Dataset], Iterator[FormatFile]]
    suits: Callable[[str, Sequence[str]], bool]
    is_default: bool = True
    is_chosen: bool = True
    files_0_1_0: Callable[[Dataset], Iterator[FormatFile]] | None = None

    @property
    def folder(self) -> str:
        return self.name.replace("-", "_")


def _for_each_split(folder: str, suffix: str) -> Callable[[Sequence[str]], tuple[str, ...]]:
    return lambda splits: tuple(f"{folder}/{split}.{suffix}" for split in splits)


def _for_all_splits(_splits: Sequence[str]) -> tuple[str, ...]:
    return TASKS, CONFIG


def _any_protocol(_protocol: str, _accepted_labels: Sequence[str]) -> bool:
    return True


def _with_right_answers(_protocol: str, accepted_labels: Sequence[str]) -> bool:
    return bool(accepted_labels)


def _only(name: str) -> Callable[[str, Sequence[str]], bool]:
    return lambda protocol, _accepted_labels: protocol == name


_FORMATS: Mapping[str, ReleaseFormat] = {
    each.name: each
    for each in (
        ReleaseFormat(
            "ae",
            "a line for each counted rating, as in the public files of answer equivalence",
            _for_each_split("ae", "jsonl"),
            ae_files,
            _only("ae"),
            is_chosen=False,
            files_0_1_0=ae_files_0_1_0,
        ),
        ReleaseFormat(
            "squad",
            "SQuAD, the answers of a question with the candidates that raters accepted",
            _for_each_split("squad", "json"),
            squad_files,
            _with_right_answers,
        ),
        ReleaseFormat(
            "cap-correctness",
            "question, gold answer, candidate answer and label, as in CAP-Correctness",
            _for_each_split("cap_correctness", "jsonl"),
            cap_correctness_files,
            _only("cap"),
            files_0_1_0=cap_correctness_files_0_1_0,
        ),
        ReleaseFormat(
            "cap-statements",
            "question, answer and statement, as in CAP-Statements, with the label",
            _for_each_split("cap_statements", "jsonl"),
            cap_statements_files,
            _only("statement"),
            files_0_1_0=cap_statements_files_0_1_0,
        ),
        ReleaseFormat(
            "label-studio",
            "tasks with annotations for Label Studio, and a labelling configuration",
            _for_all_splits,
            label_studio_files,
            _any_protocol,
            is_default=False,
        ),
        ReleaseFormat(
            "doccano",
            "text classification for doccano, a line for each rating",
            _for_each_split("doccano", "jsonl"),
            doccano_files,
            _any_protocol,
            is_default=False,
        ),
    )
}
FORMATS = {name: each for name, each in _FORMATS.items() if each.is_chosen}
"""Those that a release may have or not."""
FORMAT_FOLDERS = tuple(f"{each.folder}/" for each in _FORMATS.values())


def choose_formats(
    protocol: str, accepted_labels: Sequence[str], wanted: Sequence[str] | None
) -> tuple[str, ...]:
    """The names of the formats wanted, each once, in the order of FORMATS; None wants those that
    are written by default where they suit the protocol.

    Raises ReleaseError if there is no such format or it does not suit the protocol.
    """
    suiting = [each for each in FORMATS.values() if each.suits(protocol, accepted_labels)]
    if wanted is None:
        return tuple(each.name for each in suiting if each.is_default)
    for name in wanted:
        if name not in FORMATS:
            raise ReleaseError(f"format {name!r} is not one of {', '.join(FORMATS)}")
        if FORMATS[name] not in suiting:
            raise ReleaseError(f"format {name} is not for the protocol {protocol}")
    return tuple(name for name in FORMATS if name in wanted)


def formats_of(terms: Terms, names: Sequence[str]) -> Iterator[ReleaseFormat]:
    """The formats in a release under these terms for which those of the names were chosen."""
    for each in _FORMATS.values():
        if each.name in names if each.is_chosen else each.suits(terms.protocol, ()):
            yield each


def write_formats(folder: NewFolder, dataset: Dataset, names: Sequence[str]) -> None:
    """Write the files of the formats; no more than a group of their records is in memory."""
    for each in formats_of(dataset.terms, names):
        for file in each.files(dataset):
            with folder.open(file.path, file.rows) as out:
                for records in file.groups:
                    out.write_text(records)


def format_differences(
    folder: Path, dataset: Dataset, names: Sequence[str], *, is_of_0_1_0: bool = False
) -> Iterator[str]:
    """At most one difference for each file of the formats. What is between 0.1.0 and the next
    version bears its number, too, so files as either writes them are right."""
    for each in formats_of(dataset.terms, names):
        differences = [*_differences(folder, each.files(dataset))]
        if differences and is_of_0_1_0 and each.files_0_1_0:
            earlier = [*_differences(folder, each.files_0_1_0(dataset))]
            differences = differences if earlier else []
        yield from differences


def _differences(folder: Path, files: Iterable[FormatFile]) -> Iterator[str]:
    for file in files:
        with text_check(folder, file.path) as text:
            for records in file.groups:
                text.expect(records)
            yield from text.differences()
