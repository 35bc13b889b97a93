"""What the dataset card says of further formats, datasheet, tables, citation and licence."""

from collections.abc import Iterator, Sequence

from tomahto.releases.documents.citation import CITATION, LICENCE, bibtex
from tomahto.releases.documents.datasheet import DATASHEET, DATASHEET_PAGE, Datasheet
from tomahto.releases.documents.fact_sentences import counted
from tomahto.releases.formats.formats import FORMATS


def format_sections(names: Sequence[str]) -> Iterator[str]:
    """One section on the further formats of these names; none if there are none."""
    if names:
        lines = [f"- `{FORMATS[name].folder}/`: {FORMATS[name].meaning}." for name in names]
        yield "\n".join(["## Further formats", "", *lines])


def documentation_section(sheet: Datasheet) -> str:
    """Where to read on, and how much of the datasheet is blank."""
    blanks = sheet.blanks
    left = (
        f" {counted(len(blanks), 'question')} that only the people behind the dataset can answer"
        f" {'is' if len(blanks) == 1 else 'are'} not answered there:"
        f" {', '.join(f'`{key}`' for key in blanks)}."
        if blanks
        else ""
    )
    return (
        "## Datasheet, tables and figures\n\n"
        f"[`{DATASHEET_PAGE}`]({DATASHEET_PAGE}) (for programs `{DATASHEET}`) says who rated, when,"
        f" how long, and under which conditions, as far as that is known.{left}\n\n"
        "`tables/` has sizes, labels by system, the histogram of F1 and agreement as Markdown,"
        " LaTeX and CSV; `figures/` has figures as SVG, PNG and PDF. All of their numbers are"
        " those of `statistics.json` and `agreement.json`."
    )


def citation_section(sheet: Datasheet) -> str:
    """BibTeX if there are authors, and the licence."""
    licence = f"The licence is in [`{LICENCE}`]({LICENCE})."
    if not sheet.authors:
        return f"## Citation and licence\n\nNo citation is stated. {licence}"
    entry = bibtex(sheet.heading, sheet.authors)
    return (
        "## Citation and licence\n\n"
        f"```bibtex\n{entry}```\n\n`{CITATION}` has the same for programs. {licence}"
    )
