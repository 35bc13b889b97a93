"""Where in the candidate feather finds the reference, and what stands beside it there."""

import numpy as np

from tomahto.matching.feather.alignment import smallest
from tomahto.matching.feather.comparison import Compared, Features, Mask, share
from tomahto.types import Floats, Integers


def place_features(compared: Compared) -> Features:
    candidate, span = compared.candidate, compared.span
    ends = candidate.facts["sentence_end"]
    late = ends & (candidate.position > 2)
    first_sentence = smallest(
        np.append(candidate.row[late], np.arange(compared.n_rows)),
        np.append(candidate.position[late] + 1, candidate.size),
        compared.n_rows,
        np.inf,
    )
    return {
        "first_hit": np.where(span.found, span.first, -1),
        "relative_first_hit": np.where(span.found, share(span.first, candidate.size), -1),
        "compactness": np.where(span.found, share(span.n_hits, span.last - span.first + 1), -1),
        "adjacent": _adjacent(compared),
        "name_before": _name_at(compared, span.first - 1),
        "name_after": _name_at(compared, span.last + 1),
        "hit_in_first_sentence": np.where(span.found, span.first < first_sentence, -1),
        "first_sentence": first_sentence,
        "sentences": candidate.count(ends),
    }


def _adjacent(compared: Compared) -> Floats:
    """The share of neighbours in the reference that are neighbours in the candidate too."""
    reference, alignment = compared.reference, compared.alignment
    together = alignment.hit[1:] & alignment.hit[:-1]
    together &= reference.row[1:] == reference.row[:-1]
    together &= alignment.position[1:] == alignment.position[:-1] + 1
    n_together = np.bincount(reference.row[1:][together], minlength=compared.n_rows)
    return np.where(reference.size > 1, share(n_together, reference.size - 1), -1)


def _name_at(compared: Compared, position: Integers) -> Mask:
    """Whether an added name or number stands at that position of the candidate."""
    candidate, facts = compared.candidate, compared.candidate.facts
    name = np.append(compared.added & (facts["capital"] | facts["number"]), False)
    inside = compared.span.found & (position >= 0) & (position < candidate.size)
    found: Mask = name[np.where(inside, candidate.start + position, -1)]
    return found
