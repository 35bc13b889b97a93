"""The features of numbers, years, decades and centuries."""

import numpy as np

from tomahto.matching.feather.alignment import smallest
from tomahto.matching.feather.comparison import Compared, Features, mean
from tomahto.types import Floats, Integers

_NO_GAP_NUMBER, _NO_GAP_YEAR = 2, 5000


def number_features(compared: Compared) -> Features:
    candidate, reference = compared.candidate.facts, compared.reference.facts
    similarity, numbers = compared.alignment.similarity, compared.alignment.numbers
    left, right = reference.at(numbers.reference), candidate.at(numbers.candidate)
    difference = np.abs(left["value"] - right["value"])
    known = (left["value"] >= 0) & (right["value"] >= 0)
    largest = np.maximum(np.maximum(left["value"], right["value"]), 1)
    years = left["year"] & right["year"]
    unknown = ~compared.occurs.reference_in_question & reference["number"]
    return {
        "number_recall": mean(compared.reference, similarity, reference["number"]),
        "year_recall": mean(compared.reference, similarity, reference["year"]),
        "novel_number_recall": mean(compared.reference, similarity, unknown),
        "number_gap": smallest(
            numbers.row, np.where(known, difference / largest, 1), compared.n_rows, _NO_GAP_NUMBER
        ),
        "year_gap": smallest(numbers.row[years], difference[years], compared.n_rows, _NO_GAP_YEAR),
        "same_period": _same_period(compared),
        "added_numbers": compared.candidate.count(compared.added & candidate["number"]),
        "added_years": compared.candidate.count(compared.added & candidate["year"]),
        "reference_numbers": compared.reference.count(reference["number"]),
        "candidate_numbers": compared.candidate.count(candidate["number"]),
        "reference_years": compared.reference.count(reference["year"]),
        "candidate_years": compared.candidate.count(candidate["year"]),
    }


def _same_period(compared: Compared) -> Integers:
    """2 if one side names the other's decade, 1 if only its century, 0 otherwise."""
    numbers = compared.alignment.numbers
    left = compared.reference.facts.at(numbers.reference)
    right = compared.candidate.facts.at(numbers.candidate)
    coarse = (left["year"] & right["decade"]) | (left["decade"] & right["year"])
    coarse |= left["decade"] & right["decade"]
    decade = coarse & (left["value"] // 10 == right["value"] // 10)
    century = left["year"] & right["ordinal"] & (_century(left["value"]) == right["value"])
    century |= left["ordinal"] & right["year"] & (left["value"] == _century(right["value"]))
    rows = [
        np.bincount(numbers.row[which], minlength=compared.n_rows) for which in (decade, century)
    ]
    return np.where(rows[0] > 0, 2, np.where(rows[1] > 0, 1, 0))


def _century(year: Floats) -> Floats:
    return (year - 1) // 100 + 1
