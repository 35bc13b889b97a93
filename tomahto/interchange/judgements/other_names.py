"""Names of the same entities, as expanded sets of answers and tables of aliases give them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tomahto.interchange.judgements.pairs import pair_references
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import at_least_one, json_rows
from tomahto.matching.named_entities import Entity

_Lists: TypeAlias = Mapping[tuple[str, str], Collection[tuple[str, ...]]]
"""By question and last reference the references of its original lines, in order, each once."""


@dataclass(frozen=True, slots=True)
class OtherNames:
    """Entities in the order of the files, and how many lists of references could not be parted
    into entities, as no original line has their question and references."""

    entities: tuple[Entity, ...]
    unparted: int


def read_other_names(paths: Sequence[Path]) -> OtherNames:
    """From lines of {"question", "reference" | "references", "candidate"} of expanded sets and of
    the original ones, together in any order, and of {"name", "aliases"}.

    In an expanded set (CFMatch, §4.2) the candidate is a list of names of which the last is the
    original one; references are such lists one behind the other, which the original line of the
    question parts. Raises InputError with file, line and field, also for a file without a line.
    """
    rows = [row for path in paths for row in _rows(InputFile.at(path))]
    originals: dict[tuple[str, str], dict[tuple[str, ...], None]] = {}
    for row in rows:
        if not _is_table(row) and not _is_expanded(row):
            references = pair_references(row)
            key = row.text("question"), references[-1]
            originals.setdefault(key, {})[references] = None
    parted = [_entities(row, originals) for row in rows if _is_table(row) or _is_expanded(row)]
    return OtherNames(
        tuple(entity for found, _ in parted for entity in found),
        sum(not is_whole for _, is_whole in parted),
    )


def parted(names: Sequence[str], originals: Sequence[str]) -> tuple[Entity, ...] | None:
    """The entities whose other names, then the original one, stand one behind the other; None if
    they do not. Sought from the end: an other name may be an original further on."""
    found: list[Entity] = []
    end = len(names)
    for place in reversed(range(len(originals))):
        if not end or names[end - 1] != originals[place]:
            return None
        start = _after(originals[place - 1], names[: end - 1]) if place else 0
        found.append((originals[place], *names[start : end - 1]))
        end = start
    return tuple(reversed(found))


def _after(name: str, names: Sequence[str]) -> int:
    """The place behind the last `name`; 0 where there is none."""
    return next((place + 1 for place in reversed(range(len(names))) if names[place] == name), 0)


def _rows(file: InputFile) -> Iterable[Row]:
    return at_least_one(json_rows(file), file)


def _is_table(row: Row) -> bool:
    return row.name_of("aliases") is not None


def _is_expanded(row: Row) -> bool:
    return isinstance(row.values.get("candidate"), list)


def _entities(row: Row, originals: _Lists) -> tuple[list[Entity], bool]:
    """Of a line, and whether its references could be parted."""
    if _is_table(row):
        return [(row.text("name"), *row.texts_or_empty("aliases"))], True
    candidates, references = row.texts_or_empty("candidate"), pair_references(row)
    of_candidate = [(name, *candidates[:-1]) for name in candidates[-1:]]
    if len(references) == 1:
        return of_candidate, True
    of_references = next(
        _partings(references, originals.get((row.text("question"), references[-1]), ())), None
    )
    return [*of_candidate, *(of_references or ())], of_references is not None


def _partings(
    references: Sequence[str], originals: Iterable[Sequence[str]]
) -> Iterator[tuple[Entity, ...]]:
    for one in originals:
        entities = parted(references, one)
        if entities is not None:
            yield entities
