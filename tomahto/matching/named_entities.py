"""Entities with their names, merged into the entries of a table of aliases."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

from tomahto.text.normalisation import normalise

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
