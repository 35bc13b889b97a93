"""What the dataset card says of what was left out on purpose."""

from tomahto.releases.dataset.selection import LeftOut, Selection
from tomahto.releases.documents.fact_sentences import number_of


def selection_paragraph(selection: Selection, left_out: LeftOut) -> str:
    """One point for each filter that is on; "" if none is."""
    if not selection.filters:
        return ""
    points = "\n".join(
        f"- {_what(name, selection)}: {_amount(name, left_out)}" for name in selection.filters
    )
    return (
        f"Left out on purpose: {number_of(left_out.ratings, 'rating')} in all; a rating with "
        "several reasons is counted with each of them below. Surplus ratings stay surplus even "
        "where a counted one was left out.\n"
        "\n"
        f"{points}"
    )


def _what(name: str, selection: Selection) -> str:
    versions = ", ".join(map(str, selection.guideline_versions))
    return {
        "without_controls": "items that repeat a control item, whose answer is known",
        "without_deactivated": "ratings of raters who are deactivated",
        "guideline_versions": f"ratings under no guideline of version {versions}",
        "consented_only": "ratings of raters who have not agreed to a consent text",
    }[name]


def _amount(name: str, left_out: LeftOut) -> str:
    ratings = number_of(left_out.by_filter[name], "rating")
    items = f"{number_of(left_out.items, 'item')} with "
    return f"{items}{ratings}" if name == "without_controls" else ratings
