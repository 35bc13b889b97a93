"""Other names of entities, from a local table (CFMatch paper, §3.2, entity aliasing expansion)."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from tomahto.matching.interface import Matcher, Pair
from tomahto.text.normalisation import normalise

SUFFIX = "+aliases"  # of the name of a matcher that has a table
MOST_NAMES = 50  # that a text is expanded to; an entity with more of them is better left alone


class AliasesError(ValueError):
    """A wrong line of a table; the message names file, line and field."""


@dataclass(frozen=True, slots=True)
class AliasTable:
    """Names that mean the same, by any of them in SQuAD's normal form.

    `digest` is a digest of the content, whatever its order.
    """

    names: dict[str, tuple[str, ...]]
    digest: str

    def expand(self, text: str) -> tuple[str, ...]:
        """The text, then its other names in the table's order."""
        own = normalise(text)
        others = self.names.get(own, ())
        return (text, *(name for name in others if normalise(name) != own))


class WithAliases:
    """A matcher that also compares the other names of the candidate and of the references.

    Only a text that is a name as a whole has others. A pair's score is the highest over all
    candidates and references, so it is never lower than without the table.
    """

    def __init__(self, matcher: Matcher, table: AliasTable) -> None:
        self._matcher, self._table = matcher, table
        self.name = f"{matcher.name}{SUFFIX}"
        self.threshold = matcher.threshold
        self.version = f"{self.name}|aliases:{table.digest}|{matcher.version}"

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair. Raises MissingReferenceError."""
        expanded = [list(self._expand(pair)) for pair in pairs]
        scores = iter(self._matcher.score([one for many in expanded for one in many]))
        return [max(next(scores) for _ in many) for many in expanded]

    def _expand(self, pair: Pair) -> Iterator[Pair]:
        names = (name for reference in pair.references for name in self._table.expand(reference))
        references = tuple(dict.fromkeys(names))
        for candidate in self._table.expand(pair.candidate):
            yield replace(pair, candidate=candidate, references=references)


def read_alias_table(path: Path) -> AliasTable:
    """A table of JSON lines `{"name", "aliases": […]}`; empty lines are passed over.

    A name that stands in several lines has the names of all of them, up to MOST_NAMES. Raises
    AliasesError at the first wrong line and for a table without names, and OSError.
    """
    entries = list(_entries(path))
    if not entries:
        raise AliasesError(f"{path}: holds no names")
    names: dict[str, dict[str, None]] = {}
    for entry in entries:
        for key in {normalise(name) for name in entry} - {""}:
            names.setdefault(key, {}).update(dict.fromkeys(entry))
    kept = {key: tuple(others)[:MOST_NAMES] for key, others in names.items()}
    content = json.dumps(sorted(sorted(set(entry)) for entry in entries), ensure_ascii=False)
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return AliasTable(kept, digest)


def _entries(path: Path) -> Iterator[list[str]]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            place = f"{path}, line {number}"
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                fields = json.loads(line) if line else None
            except (ValueError, RecursionError) as error:
                raise AliasesError(f"{place}: not JSON in UTF-8 ({error})") from error
            if fields is not None:
                yield _entry(fields, place)


def _entry(fields: Any, place: str) -> list[str]:
    if not isinstance(fields, dict):
        raise AliasesError(f"{place}: not a JSON object")
    name, aliases = fields.get("name"), fields.get("aliases")
    if not isinstance(name, str) or not name.strip():
        raise AliasesError(f"{place}, field name: {name!r} is not a text with a word in it")
    if not isinstance(aliases, list) or not all(isinstance(alias, str) for alias in aliases):
        raise AliasesError(f"{place}, field aliases: not a list of texts")
    return [name, *aliases]


Entity: TypeAlias = tuple[str, ...]
"""Its name, then other names."""
_Names: TypeAlias = Mapping[str, Mapping[str, str]]
"""By the entity's name its names, all by their normal form."""


class MergedEntities(NamedTuple):
    """Entities that have other names, and the names that were left out as ambiguous."""

    entities: tuple[Entity, ...]
    ambiguous: tuple[str, ...]


def merge_entities(entities: Iterable[Entity]) -> MergedEntities:
    """One entity for each name in SQuAD's normal form, with the other names of all of that name.

    A name is ambiguous, and left out of all its entities, where two have it of which neither is
    an other name of the other: `id` is short for Idaho and for Indonesia.
    """
    names = _by_name(entities)
    owners: dict[str, list[str]] = {}
    for entity, forms in names.items():
        for form in forms:
            owners.setdefault(form, []).append(entity)
    by_owners: dict[tuple[str, ...], list[str]] = {}
    for form, sharing in owners.items():
        by_owners.setdefault(tuple(sharing), []).append(form)
    alike = _alike(names)
    ambiguous = {
        form
        for sharing, forms in by_owners.items()
        if not all(alike[one].issuperset(sharing) for one in sharing)
        for form in forms
    }
    kept = (
        tuple(name for form, name in forms.items() if form == entity or form not in ambiguous)
        for entity, forms in names.items()
    )
    return MergedEntities(
        tuple(entity for entity in kept if len(entity) > 1), tuple(sorted(ambiguous))
    )


def _by_name(entities: Iterable[Entity]) -> _Names:
    found: dict[str, dict[str, str]] = {}
    for entity in entities:
        if own := normalise(entity[0]):
            names = found.setdefault(own, {own: entity[0]})
            for name in entity[1:]:
                if form := normalise(name):
                    names.setdefault(form, name)
    return found


def _alike(names: _Names) -> Mapping[str, set[str]]:
    """By the entity's name itself and those that it names or that name it: as many as there are
    names, whatever number of entities share one."""
    found: dict[str, set[str]] = {entity: set() for entity in names}
    for entity, forms in names.items():
        for form in forms.keys() & names.keys():
            found[entity].add(form)
            found[form].add(entity)
    return found
