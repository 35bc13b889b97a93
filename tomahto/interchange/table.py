"""All import formats there are. Every module of `formats` is asked for its FORMATS; none is listed
here."""

import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TypeVar

from tomahto.interchange import formats
from tomahto.interchange.description import FileToRead, ImportFormat, Kind
from tomahto.interchange.recognition import choose_format

_Record = TypeVar("_Record")


@cache
def import_formats() -> tuple[ImportFormat, ...]:
    """In the order in which they are listed."""
    modules = (
        import_module(f"{formats.__name__}.{info.name}")
        for info in pkgutil.iter_modules(formats.__path__)
    )
    found = (each for module in modules for each in module.FORMATS)
    return tuple(sorted(found, key=lambda each: (each.place, each.name)))


def formats_of(kind: str) -> list[ImportFormat]:
    """Those in which a file may hold this."""
    return [each for each in import_formats() if each.holds(kind)]


def format_names(kind: str) -> tuple[str, ...]:
    return tuple(each.name for each in formats_of(kind))


def read_records(kind: Kind[_Record], file: FileToRead, name: str | None) -> Iterator[_Record]:
    """The records of a file in the format of this name; None: recognised by the file.

    Raises InputError at the first thing that is wrong, the options with which it is to be read
    included.
    """
    known = formats_of(kind.name)
    chosen = choose_format(file.file, name, known, kind.marks)
    if file.fields.takes_newest and not chosen.has_revisions:
        revised = " and ".join(each.name for each in known if each.has_revisions)
        raise file.file.error(f"is read as {chosen.name}; --newest is for {revised}")
    mapped = [each.name for each in known if each.mapped]
    others = (*chosen.mapped, *file.question_keys) if kind.has_labels else ()
    file.fields.check(file.file, chosen.name, mapped, others)
    return chosen.read(kind, file)
