"""Ratings by the letters of their labels."""

from tomahto.votes.rating_rows import RatingRows

RATERS = ("al", "bo", "cy", "di")


def rows_of(*votes: str, labels: tuple[str, ...] = ("a", "b", "c")) -> RatingRows:
    """One string per item: the labels of al, bo, cy, … in turn; a dot is no vote."""
    return RatingRows.of(
        [
            (item, RATERS[place], label)
            for item, letters in enumerate(votes)
            for place, label in enumerate(letters)
            if label != "."
        ],
        labels,
    )
