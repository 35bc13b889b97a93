"""What Dawid and Skene's model says of classes and raters, as a file of the release."""

from typing import Any

from tomahto.releases.dataset.labels import decimals_of
from tomahto.types import Floats
from tomahto.votes.dawid_skene import DawidSkene

DAWID_SKENE = "dawid_skene.json"


def dawid_skene_json(estimate: DawidSkene) -> dict[str, Any]:
    """The estimate from the counted ratings, its probabilities rounded to the decimals that hold.

    `priors` is how frequent each label is; a rater's `confusion` says, for items that are of the
    label named first, how probable the rater gives the label named second, and `accuracy` how
    probable the rater labels a random item as what it is. The matrix rests on `ratings` ratings.
    """
    return {
        "model": "Dawid and Skene (1979), EM from the shares of votes",
        "labels": list(estimate.label_names),
        "items": len(estimate.posteriors),
        "ratings": int(estimate.ratings.sum()),
        "smoothing": estimate.smoothing,
        "iterations": estimate.iterations,
        "converged": estimate.is_converged,
        "decimals": decimals_of(estimate),
        "priors": _by_label(estimate, estimate.priors),
        "raters": {
            name: _rater(estimate, place) for place, name in enumerate(estimate.rater_names)
        },
    }


def _rater(estimate: DawidSkene, place: int) -> dict[str, Any]:
    matrix = estimate.confusions[place]
    return {
        "ratings": int(estimate.ratings[place]),
        "accuracy": round(estimate.accuracy_of(place), decimals_of(estimate)),
        "confusion": {
            label: _by_label(estimate, row)
            for label, row in zip(estimate.label_names, matrix, strict=True)
        },
    }


def _by_label(estimate: DawidSkene, values: Floats) -> dict[str, float]:
    return {
        label: round(value, decimals_of(estimate))
        for label, value in zip(estimate.label_names, values.tolist(), strict=True)
    }
