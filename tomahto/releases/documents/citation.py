"""How a release is to be cited: CITATION.cff, BibTeX, and the licence it is under."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import yaml

from tomahto.figures.latex import escaped as latex
from tomahto.figures.markdown import escaped as markdown
from tomahto.figures.words import plain
from tomahto.releases.documents.authors import Author
from tomahto.releases.documents.licences import licence_named
from tomahto.releases.stored.manifest import Manifest

CITATION, LICENCE = "CITATION.cff", "LICENSE.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What is cited."""

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
    """What the release is licensed under. The text of the licence is at its address."""
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
