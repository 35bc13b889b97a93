"""The authors of a dataset, as typed into the datasheet: one in a line."""

import re
from dataclasses import dataclass
from typing import Any

_ORCID = re.compile(
    r"\s*\(\s*(?:https?://orcid\.org/)?(\d{4}-\d{4}-\d{4}-\d{3}[\dX])\s*\)\s*", re.ASCII
)
_IN_BRACKETS = re.compile(r"\([^()]*\)\s*$")


class AuthorsError(ValueError):
    """A line that names no author; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Author:
    """A person, or an institution, which has no given names."""

    name: str  # of a person: the family name
    given: str = ""
    orcid: str = ""  # as in 0000-0002-1825-0097

    def as_cff(self) -> dict[str, Any]:
        """As the Citation File Format 1.2.0 has it."""
        orcid = {"orcid": f"https://orcid.org/{self.orcid}"} if self.orcid else {}
        if not self.given:
            return {"name": self.name, **orcid}
        return {"family-names": self.name, "given-names": self.given, **orcid}


def parse_authors(text: str) -> tuple[Author, ...]:
    """The authors in their order. `Family name, Given names` is a person, a line without a comma
    an institution; an ORCID iD may follow in brackets.

    Raises AuthorsError.
    """
    lines = enumerate(text.split("\n"), start=1)
    return tuple(_author(line, number) for number, line in lines if line.strip())


def _author(line: str, number: int) -> Author:
    orcid = ""
    if brackets := _IN_BRACKETS.search(line):
        found = _ORCID.fullmatch(brackets[0])
        if found is None or not _is_right(found[1]):
            raise AuthorsError(f"line {number}: {brackets[0].strip()} is not an ORCID iD")
        orcid, line = found[1], line[: brackets.start()]
    name, comma, given = (" ".join(part.split()) for part in line.partition(","))
    if not name or (comma and not given):
        raise AuthorsError(
            f"line {number}: is neither a name (Family name, Given names) nor an institution"
        )
    return Author(name, given, orcid)


def _is_right(orcid: str) -> bool:
    """Whether the last digit is the check digit of the others (ISO 7064 MOD 11-2)."""
    digits = orcid.replace("-", "")
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    return digits[-1] == "0123456789X"[(12 - total % 11) % 11]
