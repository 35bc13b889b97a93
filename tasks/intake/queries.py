"""Scores that matchers elsewhere gave: their versions, whose there are, and those that count."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from django.db.models import Exists, Max, Min, OuterRef, Q, QuerySet

from tasks.models import Campaign, Suggestion
from tasks.votes.ratings import counted_ratings

_IMPORTED: Final = "imported|"
_SCALE: Final = re.compile(r"\|range:(?P<low>[^|,]+),(?P<high>[^|]+)\|threshold:(?P<from>[^|]+)")
_MIDDLE: Final = 0.5


class ImportedScores(NamedTuple):
    """The newest import under a name: scores from 0 to 1 by the items' keys, and which are
    accepted."""

    version: str
    scores: Mapping[str, float]
    accepted: Mapping[str, bool]

    @property
    def threshold(self) -> float:
        """From which score answers are accepted. Raises ValueError if the file accepts by no
        threshold."""
        from tomahto.lab.report import separating_threshold  # slow to load, and files have one

        flags = [(score, self.accepted[key]) for key, score in self.scores.items()]
        return separating_threshold(flags, _threshold(self.version))


def imported_version(sha256: str, low: float, high: float, threshold: float) -> str:
    """Of a file of scores that go from `low` to `high` and accept from `threshold`."""
    scale = f"range:{_plain(low)},{_plain(high)}|threshold:{_plain(threshold)}"
    return f"{_IMPORTED}{scale}|sha256:{sha256[:12]}"


def is_imported(version: str) -> bool:
    return version.startswith(_IMPORTED)


def imported_matchers(campaign: Campaign) -> list[str]:
    """The names that files of scores were imported under, in alphabetical order."""
    names = _imported(campaign).order_by("matcher").values_list("matcher", flat=True)
    return list(names.distinct())


def newest_version(campaign: Campaign, matcher: str) -> str | None:
    """That of the last import under the name; None if there is none."""
    found = _imported(campaign).filter(matcher=matcher).order_by("-id")
    return found.values_list("version", flat=True).first()


def imported_scores(campaign: Campaign, matcher: str) -> ImportedScores | None:
    """The report of the last import under the name; None if there is none."""
    version = newest_version(campaign, matcher)
    if version is None:
        return None
    rows = _imported(campaign).filter(matcher=matcher, version=version)
    found = list(rows.values_list("item__key", "score", "is_correct"))
    return ImportedScores(
        version,
        {key: score for key, score, _ in found},
        {key: is_correct for key, _, is_correct in found},
    )


def can_judge(campaign: Campaign, matcher: str) -> bool:
    """Whether the last import under the name has a score of every live item that is rated, and a
    threshold."""
    newest = Suggestion.objects.filter(matcher=matcher, version=newest_version(campaign, matcher))
    rated = counted_ratings(campaign)
    if rated.exclude(Exists(newest.filter(item=OuterRef("item")))).exists():
        return False
    ends = newest.filter(item__campaign=campaign).aggregate(
        refused=Max("score", filter=Q(is_correct=False)),
        accepted=Min("score", filter=Q(is_correct=True)),
    )
    return None in ends.values() or ends["refused"] < ends["accepted"]


def _imported(campaign: Campaign) -> QuerySet[Suggestion]:
    return Suggestion.objects.filter(item__campaign=campaign, version__startswith=_IMPORTED)


def _threshold(version: str) -> float:
    found = _SCALE.search(version)
    if found is None:
        return _MIDDLE
    low, high = float(found["low"]), float(found["high"])
    return (float(found["from"]) - low) / (high - low)


def _plain(number: float) -> str:
    return repr(float(number)).removesuffix(".0")
