"""The citation of a release: its authors as typed into the datasheet, one in a line, the licence it
is under, CITATION.cff and BibTeX."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import yaml

from tomahto.charts.table import plain
from tomahto.charts.table_text import escaped as markdown
from tomahto.charts.table_text import latex_escaped as latex
from tomahto.releases.stored.manifest import Manifest

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


@dataclass(frozen=True, slots=True)
class Licence:
    """`spdx` is its identifier in the SPDX list, `hub` the Hugging Face hub's."""

    spdx: str
    hub: str
    name: str
    url: str


def _creative_commons(spdx: str, name: str, path: str) -> Licence:
    return Licence(spdx, spdx.lower(), name, f"https://creativecommons.org/{path}/")


_LICENCES = (
    _creative_commons("CC0-1.0", "Creative Commons Zero v1.0 Universal", "publicdomain/zero/1.0"),
    *(
        _creative_commons(
            f"CC-{terms.upper()}-4.0",
            f"Creative Commons {name} 4.0 International",
            f"licenses/{terms}/4.0",
        )
        for terms, name in (
            ("by", "Attribution"),
            ("by-sa", "Attribution Share Alike"),
            ("by-nd", "Attribution No Derivatives"),
            ("by-nc", "Attribution Non Commercial"),
            ("by-nc-sa", "Attribution Non Commercial Share Alike"),
            ("by-nc-nd", "Attribution Non Commercial No Derivatives"),
        )
    ),
    Licence(
        "ODC-By-1.0",
        "odc-by",
        "Open Data Commons Attribution License v1.0",
        "https://opendatacommons.org/licenses/by/1-0/",
    ),
    Licence(
        "ODbL-1.0",
        "odbl",
        "Open Data Commons Open Database License v1.0",
        "https://opendatacommons.org/licenses/odbl/1-0/",
    ),
    Licence(
        "PDDL-1.0",
        "pddl",
        "Open Data Commons Public Domain Dedication & License 1.0",
        "https://opendatacommons.org/licenses/pddl/1-0/",
    ),
    Licence(
        "Apache-2.0",
        "apache-2.0",
        "Apache License 2.0",
        "https://www.apache.org/licenses/LICENSE-2.0",
    ),
    Licence("MIT", "mit", "MIT License", "https://opensource.org/license/mit"),
)
_BY_NAME = {name.lower(): each for each in _LICENCES for name in (each.spdx, each.hub)}


def licence_named(name: str) -> Licence | None:
    """The licence with this identifier, in whatever case; None if it is not known here."""
    return _BY_NAME.get(" ".join(name.split()).lower())


CITATION, LICENCE = "CITATION.cff", "LICENSE.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A release as its citation names it."""

    campaign: str
    title: str
    version: str
    published: date

    @classmethod
    def of(cls, manifest: Manifest) -> "Heading":
        return cls(
            campaign=manifest.campaign,
            title=" ".join(manifest.title.split()),
            version=manifest.version,
            published=manifest.published,
        )


def citation_cff(heading: Heading, licence: str, authors: Sequence[Author]) -> str:
    """The citation in the Citation File Format 1.2.0.

    Raises ValueError without an author: the format requires one, and none is invented.
    """
    if not authors:
        raise ValueError("a citation needs an author")
    known = licence_named(licence)
    citation: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it as below.",
        "type": "dataset",
        "title": plain(heading.title),
        "authors": [author.as_cff() for author in authors],
        "version": heading.version,
        "date-released": heading.published,
        **({"license": known.spdx} if known else {}),
    }
    return yaml.safe_dump(citation, allow_unicode=True, sort_keys=False, width=100)


def bibtex(heading: Heading, authors: Sequence[Author]) -> str:
    """The entry for a bibliography. Braces keep capitals and the names of institutions."""
    names = " and ".join(
        f"{latex(author.name)}, {latex(author.given)}"
        if author.given
        else f"{{{latex(author.name)}}}"
        for author in authors
    )
    fields = {
        "title": f"{{{latex(heading.title)}}}",
        "author": names,
        "year": str(heading.published.year),
        "version": heading.version,
        "note": f"Dataset, version {heading.version}",
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{{heading.campaign}-{heading.version},\n{lines}}}\n"


def licence_page(licence: str) -> str:
    """The release's licence. The text of the licence is at its address."""
    known = licence_named(licence)
    if known is None:
        return (
            "# Licence\n\n"
            f"This dataset is released under: {markdown(licence)}.\n\n"
            "This is how its makers name the licence; it is none whose identifier and address the"
            " platform knows.\n"
        )
    return (
        "# Licence\n\n"
        f"This dataset is released under the {markdown(known.name)} (SPDX identifier"
        f" `{known.spdx}`). Its text: <{known.url}>\n\n"
        "Texts that were taken from elsewhere may be under terms of their own; the datasheet says"
        " what is stated of them.\n"
    )
