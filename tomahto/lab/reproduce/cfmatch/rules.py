"""What people labelled by the rules: sizes (§3.2), and where metrics differ from them (§5)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.decided_by import DecidedBy
from tomahto.lab.judged import JudgedData, JudgedItem
from tomahto.lab.release_data import drawn_items, judged_data_of
from tomahto.lab.reproduce.cfmatch.answers import METRICS, Answer, Answers
from tomahto.lab.reproduce.comparison import Cells
from tomahto.lab.reproduce.shares import counted, judged_share
from tomahto.matching.interface import Matcher, Pair
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.stored.reading import StoredRelease
from tomahto.text.normalisation import exact_match

_RULE_4 = "more-details"
_SPECIFICITY = ("fewer-details", "more-details")
_BETTER = {
    "Specificity": _SPECIFICITY,
    "Semantic similarity": ("semantic",),
    "Aliases": ("aliasing",),
}
_WORSE = {
    "Irrelevant": ("irrelevant",),
    "Specificity": _SPECIFICITY,
    "Token overlap": ("semantic",),
}
_NEEDED = "needs a release of a rules campaign"
_OF_DRAFTS = "a release has none of the drafts that nobody approved"


@dataclass(frozen=True, slots=True)
class RuledItem:
    """An item, by which rules people decided it, and which metrics take its candidate for right."""

    item: JudgedItem
    rules: Collection[str]
    accepted: dict[str, bool]

    def is_as_people(self, metric: str) -> bool:
        return self.accepted[metric] == self.item.is_right

    def has_one(self, rules: Collection[str]) -> bool:
        return any(rule in self.rules for rule in rules)


@dataclass(frozen=True, slots=True)
class RuledItems:
    """The items of releases that have a label, and of those that are tied, which have none, whether
    each is generated."""

    decided: Sequence[RuledItem] = ()
    tied: Sequence[bool] = ()

    @classmethod
    def joined(cls, parts: Iterable["RuledItems"]) -> "RuledItems":
        all_ = list(parts)
        return cls(
            [one for part in all_ for one in part.decided], [t for part in all_ for t in part.tied]
        )

    def __len__(self) -> int:
        return len(self.decided) + len(self.tied)


def ruled_items(release: StoredRelease, matchers: Mapping[str, Matcher]) -> RuledItems:
    """Of a release, or of a split of one.

    Raises ReleaseError for a release of no answers to questions, and where raters were not asked
    for rules.
    """
    data = judged_data_of(release)
    if data.decided_by is None:
        raise ReleaseError(f"is of the protocol {data.protocol}, whose raters name no rules")
    tied = [bool(item.record.intended) for item in drawn_items(release.dataset)]
    return RuledItems(_decided(data, data.decided_by, matchers), tied)


def _decided(
    data: JudgedData, decided_by: DecidedBy, matchers: Mapping[str, Matcher]
) -> list[RuledItem]:
    answers = Answers.of([_answer(item) for item in data.items], matchers)
    return [
        RuledItem(
            item,
            decided_by.by_item.get(item.id, ()),
            {name: flags[place] for name, flags in answers.accepted.items()},
        )
        for place, item in enumerate(data.items)
    ]


def _answer(item: JudgedItem) -> Answer:
    pair = Pair(item.question, item.context, item.references, item.candidate)
    return Answer(pair, item.is_right, system="")


def augmented_sizes(items: RuledItems) -> Iterator[tuple[str, Estimate]]:
    """§3.2 by row: of the generated pairs, those that people left in, and, but for ties, what they
    said of the verdict that the model gave last. People label all that is released."""
    generated = [one.item for one in items.decided if one.item.intended]
    n = len(generated) + sum(items.tied)
    same = sum(item.intended.endswith(f"/{item.label}") for item in generated)
    counts = {
        "Checked by people": n,
        "Consistent after self-evaluation": same,
        "Revised": len(generated) - same,
        "Generated, kept": n,
    }
    for row, number in counts.items():
        yield row, counted(number, n) if n else undefined(f"{_NEEDED} with generated pairs", n=0)
    for row in ("Generated", "Removed"):
        yield row, undefined(_OF_DRAFTS, n=0)
    yield "Checked again by people", undefined("a release does not tell second checks apart", n=0)


def annotated(items: RuledItems, bootstrap: Bootstrap) -> Cells:
    """§5.2: how many answers people labelled by the rules, and what they call right of those that
    are not tied."""
    missed = [
        (one, one.item.is_right and not exact_match(one.item.candidate, one.item.references))
        for one in items.decided
    ]
    by_rule_4 = [(one, one.item.is_right and _RULE_4 in one.rules) for one in items.decided]
    found = {
        "Examples": counted(len(items), len(items)),
        "Right to people, wrong to EM": _share(missed, bootstrap),
        "Right by rule 4": _share(by_rule_4, bootstrap),
    }
    for column, estimate in found.items():
        yield ("sec52", "Annotated", column), estimate if items else undefined(_NEEDED, n=0)


def differences(items: Sequence[RuledItem], bootstrap: Bootstrap) -> Cells:
    """§5.3 and 5.4: of the items that CFM and CFM-Aug judge differently, which of both is as
    people. The categories of §5.3, which overlap, are shares of those that CFM-Aug gets right;
    those of §5.4 of all, as their sum in the paper says."""
    first, second = METRICS["CFM"], METRICS["CFM-Aug"]
    if reason := _why_not(items, first, second):
        differ: list[RuledItem] = []
    else:
        differ = [one for one in items if one.accepted[first] != one.accepted[second]]
        reason = "" if differ else "CFM and CFM-Aug judge all items alike"
    better = [one for one in differ if one.is_as_people(second)]
    worse = [(one, one.is_as_people(first)) for one in differ]
    tables = {
        "sec53": {
            "All": [(one, one.is_as_people(second)) for one in differ],
            **{
                row: [(one, one.has_one(names)) for one in better] for row, names in _BETTER.items()
            },
        },
        "sec54": {
            "All": worse,
            **{
                row: [(one, flag and one.has_one(names)) for one, flag in worse]
                for row, names in _WORSE.items()
            },
        },
    }
    for table, rows in tables.items():
        for row, flags in rows.items():
            found = undefined(reason, n=0) if reason else _share(flags, bootstrap)
            yield (table, row, "Share"), found


def _why_not(items: Sequence[RuledItem], *metrics: str) -> str:
    if not items:
        return _NEEDED
    missing = [name for name in metrics if name not in items[0].accepted]
    return f"needs --matcher {missing[0]}=MATCHER" if missing else ""


def _share(flags: Sequence[tuple[RuledItem, bool]], bootstrap: Bootstrap) -> Estimate:
    return judged_share([(one.item.question_id, flag) for one, flag in flags], bootstrap)
