"""Facts of a release that nobody has to state: from its records, and from the platform.

Facts are plain JSON objects of counts; `tomahto.releases.documents.fact_sentences` puts them into
words.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Any

import numpy as np

from tomahto.releases.dataset.choices import format_split_spec
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.records.ratings import Ratings
from tomahto.releases.records.records import CollectionRecord, RaterRecord
from tomahto.reliability.statistics import IN_DOCUMENTS

Facts = dict[str, Any]
Report = Mapping[str, Any]

_UNKNOWN = "unknown"
_SEEN = (("shown", True), ("hidden", False), (_UNKNOWN, None))


def facts_of_release(
    dataset: Dataset, statistics: Report, agreement: Report, items_without_ratings: int
) -> dict[str, Facts]:
    """Facts that follow from the release itself, by the key of the datasheet's entry; `statistics`
    and `agreement` are its files so called."""
    return {
        "contents": _contents(dataset, statistics, items_without_ratings),
        "limits": _limits(statistics, agreement),
        "raters": _raters(dataset),
        "period": _period(dataset.ratings),
        "guidelines": _guidelines(dataset.ratings),
        "suggestions": _suggestions(dataset.ratings),
        "time": _time(dataset.ratings),
        "labels": {"choice": dataset.terms.choice, "sources": dict(statistics["label_sources"])},
    }


def facts_of_platform(
    dataset: Dataset, licence: str, collection: CollectionRecord | None
) -> dict[str, Facts | None]:
    """The licence, and what only the platform knows of those who rated what is in the release;
    None without a platform."""
    named: dict[str, Facts | None] = {"licence": {"licence": licence}}
    if collection is None:
        return named | dict.fromkeys(("people", "consent", "calibration"))
    by_name = {rater.pseudonym: rater for rater in collection.raters}
    names = dataset.ratings.raters_present
    known = [by_name[name] for name in names if name in by_name]
    return named | {
        "people": _people(known, len(names)),
        "consent": _consent(collection, known, len(names)),
        "calibration": _calibration(collection, known, len(names)),
    }


def _contents(dataset: Dataset, statistics: Report, items_without_ratings: int) -> Facts:
    total, splits = statistics["sizes"]["total"], statistics["sizes"]["splits"]
    return {
        **{name: total[name] for name in ("items", "candidates", "questions", "documents")},
        "systems": len(statistics["sizes_by_system"]),
        "counted_ratings": total["ratings"],
        "surplus_ratings": total["surplus_ratings"],
        **_set_aside(dataset.ratings),
        "items_without_ratings": items_without_ratings,
        "split": format_split_spec(dataset.terms.spec),
        "seed": dataset.terms.seed,
        "splits": {split: sizes["items"] for split, sizes in splits.items()},
    }


def _set_aside(ratings: Ratings) -> Facts:
    rows = ratings.rows[ratings.rows["is_set_aside"]]
    raters = len(np.unique(rows["rater"]))
    return {"set_aside_ratings": len(rows), "set_aside_raters": raters} if raters else {}


def _limits(statistics: Report, agreement: Report) -> Facts:
    parts = {"whole": agreement["whole"], **agreement["splits"]}
    return {
        "ties": statistics["sizes"]["total"]["ties"],
        "single_ratings": statistics["ratings_per_item"]["total"].get("1", 0),
        "without_reference": statistics["f1_histogram"]["without_references"],
        "undefined": [
            {"part": part, "figure": statistic.name, "reason": found["reason"]}
            for part, report in parts.items()
            for statistic in IN_DOCUMENTS
            if not statistic.group and (found := statistic.read(report))["value"] is None
        ],
    }


def _raters(dataset: Dataset) -> Facts:
    numbers = np.unique(dataset.ratings.rows["rater"], return_counts=True)[1]
    return {
        "raters": len(numbers),
        "ratings": len(dataset.ratings),
        "fewest": int(numbers.min()),
        "median": float(np.median(numbers)),
        "most": int(numbers.max()),
        "adjudicators": len({each.adjudicator for each in dataset.adjudications}),
        "decisions": len(dataset.adjudications),
    }


def _period(ratings: Ratings) -> Facts:
    """Dates are in UTC."""
    times = ratings.rows["rated_at"]
    known = times[~np.isnat(times)].astype("M8[D]")
    return {
        "first": str(known.min()) if len(known) else None,
        "last": str(known.max()) if len(known) else None,
        "ratings": len(times),
        "undated": len(times) - len(known),
    }


def _guidelines(ratings: Ratings) -> Facts:
    counts = Counter(ratings.values("guideline_version"))
    unknown = counts.pop(None, 0)
    return {"versions": {str(each): counts[each] for each in sorted(counts)}, _UNKNOWN: unknown}


def _suggestions(ratings: Ratings) -> Facts:
    counts = Counter(ratings.values("suggestion_shown"))
    return {name: counts[flag] for name, flag in _SEEN}


def _time(ratings: Ratings) -> Facts:
    seconds = ratings.rows["seconds"]
    known = seconds[~np.isnan(seconds)]
    return {
        "median_seconds": float(np.median(known)) if len(known) else None,
        "total_seconds": fsum(known) if len(known) else None,
        "timed": len(known),
        "ratings": len(seconds),
    }


def _people(known: Sequence[RaterRecord], raters: int) -> Facts:
    return {
        "raters": raters,
        "roles": _counts(rater.role for rater in known),
        "entries": _counts(rater.entry for rater in known),
        "inactive": sum(not rater.is_active for rater in known),
        _UNKNOWN: raters - len(known),
    }


def _consent(collection: CollectionRecord, known: Sequence[RaterRecord], raters: int) -> Facts:
    agreed = Counter(version for rater in known for version in rater.consents)
    return {
        "raters": raters,
        "versions": {str(each): agreed[each] for each in sorted(collection.consent_versions)},
        "agreed_to_any": sum(bool(rater.consents) for rater in known),
    }


def _calibration(collection: CollectionRecord, known: Sequence[RaterRecord], raters: int) -> Facts:
    return {
        "is_required": collection.requires_calibration,
        "items": collection.calibration_items,
        "pass_percent": collection.pass_percent,
        "attempts_allowed": collection.attempts_allowed,
        "raters": raters,
        "passed": sum(rater.has_passed_calibration for rater in known),
        "tried": sum(rater.calibration_attempts > 0 for rater in known),
    }


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
