import re
from datetime import date

import pytest
import yaml

from tomahto.releases.documents.citation import (
    Heading,
    bibtex,
    citation_cff,
    licence_named,
    licence_page,
    parse_authors,
)

AUTHORS = parse_authors("Hill, Bo (0000-0002-1825-0097)\nInstitute of R&D")
DAY = date(2026, 3, 2)
# What the Citation File Format 1.2.0 requires, and the forms it prescribes.
REQUIRED = {"cff-version", "message", "title", "authors"}
ALLOWED = REQUIRED | {"type", "version", "date-released", "license"}


def heading(title: str) -> Heading:
    return Heading(campaign="demo", title=title, version="1.0.0", published=DAY)


def test_citation_follows_the_rules_of_its_format() -> None:
    text = citation_cff(heading("Answers:\n#1"), "cc-by-4.0", AUTHORS)
    citation = yaml.safe_load(text)
    assert citation == {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it as below.",
        "type": "dataset",
        "title": "Answers: #1",
        "authors": [
            {
                "family-names": "Hill",
                "given-names": "Bo",
                "orcid": "https://orcid.org/0000-0002-1825-0097",
            },
            {"name": "Institute of R&D"},
        ],
        "version": "1.0.0",
        "date-released": DAY,
        "license": "CC-BY-4.0",
    }
    assert REQUIRED <= set(citation) <= ALLOWED
    assert re.search(r"^date-released: 2026-03-02$", text, re.MULTILINE)


def test_citation_leaves_out_a_licence_without_identifier() -> None:
    text = citation_cff(heading("T"), "our own terms", AUTHORS)
    assert "license" not in yaml.safe_load(text)


def test_citation_invents_no_author() -> None:
    with pytest.raises(ValueError, match="needs an author"):
        citation_cff(heading("T"), "mit", ())


def test_bibtex_keeps_institutions_whole_and_escapes() -> None:
    entry = bibtex(heading("50% of `answers`"), AUTHORS)
    assert entry == (
        "@misc{demo-1.0.0,\n"
        "  title = {{50\\% of \\textasciigrave{}answers\\textasciigrave{}}},\n"
        "  author = {Hill, Bo and {Institute of R\\&D}},\n"
        "  year = {2026},\n"
        "  version = {1.0.0},\n"
        "  note = {Dataset, version 1.0.0},\n"
        "}\n"
    )


def test_licence_page_names_the_licence_and_its_address() -> None:
    assert licence_page("CC-BY-SA-4.0").startswith(
        "# Licence\n\nThis dataset is released under the Creative Commons Attribution Share Alike"
        " 4.0 International (SPDX identifier `CC-BY-SA-4.0`). Its text:"
        " <https://creativecommons.org/licenses/by-sa/4.0/>\n"
    )


def test_licence_page_claims_nothing_of_a_licence_that_is_not_known() -> None:
    page = licence_page("our *own* terms")
    assert page.startswith("# Licence\n\nThis dataset is released under: our \\*own\\* terms.\n")
    assert "http" not in page


@pytest.mark.parametrize(
    ("name", "spdx"),
    [("cc0-1.0", "CC0-1.0"), ("CC-BY-NC-4.0", "CC-BY-NC-4.0"), ("odbl", "ODbL-1.0"), ("gpl", None)],
)
def test_licences_are_known_by_identifier_and_by_the_hubs_name(name: str, spdx: str | None) -> None:
    found = licence_named(name)
    assert (found.spdx if found else None) == spdx
