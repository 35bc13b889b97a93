"""Sentences of a dataset card on its raters: those of files, those whose ratings were set aside,
and the words they were asked in."""

from collections import Counter
from collections.abc import Iterator

from tomahto.releases.documents.fact_sentences import number_of
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.stored.manifest import Manifest


def imported_raters_paragraph(manifest: Manifest) -> Iterator[str]:
    if number := len(manifest.imported_raters):
        yield (
            f"Of the raters and adjudicators, {number} had no account: their judgements were "
            "imported from files, and `imported_raters` in `manifest.json` has their pseudonyms."
        )


def set_aside_paragraph(ratings: Ratings) -> Iterator[str]:
    rows = ratings.rows[ratings.rows["is_set_aside"]]
    if number := len(rows):
        raters = number_of(len({*rows["rater"].tolist()}), "rater")
        yield (
            f"An admin of the campaign has set aside {number_of(number, 'rating')} by {raters},"
            " with a reason that stays inside the platform. They are not counted and not among the"
            " surplus ratings; the column `set_aside` of the ratings says which they are."
        )


def wordings_paragraph(ratings: Ratings) -> Iterator[str]:
    counts = Counter(ratings.wordings[number] for number in ratings.rows["wording"].tolist())
    published = counts.pop("", 0)
    if counts:
        others = " and ".join(
            f"{number_of(number, 'rating')} in `{name}`" for name, number in sorted(counts.items())
        )
        yield (
            f"Raters gave {number_of(published, 'rating')} in the published words of the form and"
            f" {others}, a translation of them by language and version: the column `wording` of the"
            " ratings says which. Figures of agreement are comparable with published ones as far as"
            " raters were asked in the same words."
        )
