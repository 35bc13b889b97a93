"""The facts of a datasheet in words: what is known, as far as it is known, and no further."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tomahto.releases.documents.citation import LICENCE, licence_named

Facts = Mapping[str, Any]


def fact_sentences(key: str, facts: Facts) -> str:
    """The facts of `tomahto.releases.documents.known_facts` under this key, in sentences."""
    return " ".join(part for part in _SENTENCES[key](facts) if part)


def counted(number: float, noun: str, plural: str = "") -> str:
    """As in `1 item` and `2 items`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def number_of(count: int, noun: str) -> str:
    """As in `1 item` and `2000 items`: without marks between thousands."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _contents(facts: Facts) -> tuple[str, ...]:
    splits = ", ".join(f"{name} {items:,}" for name, items in facts["splits"].items())
    nouns = ("item", "candidate", "question", "document", "system")
    items, candidates, questions, documents, systems = (
        counted(facts[f"{noun}s"], noun) for noun in nouns
    )
    ratings = counted(facts["counted_ratings"], "counted rating")
    return (
        f"{items} with {candidates} to {questions} of {documents}, by {systems} with a name.",
        f"{ratings}, and {counted(facts['surplus_ratings'], 'rating')} that no label rests on.",
        *_set_aside(facts),
        f"Split by {facts['split']} with the seed {facts['seed']}; items of each split: {splits}.",
        f"Items without a counted rating, which are left out: {facts['items_without_ratings']:,}.",
    )


def _set_aside(facts: Facts) -> Iterator[str]:
    if number := facts.get("set_aside_ratings"):
        raters = counted(facts["set_aside_raters"], "rater")
        yield f"{counted(number, 'rating')} by {raters} that an admin has set aside."


def _limits(facts: Facts) -> tuple[str, ...]:
    undefined = "; ".join(
        f"{each['figure']} of {each['part']} ({each['reason']})" for each in facts["undefined"]
    )
    return (
        f"Items whose votes are tied: {facts['ties']:,}.",
        f"Items with a single counted rating: {facts['single_ratings']:,}.",
        f"Items without a reference to be compared with: {facts['without_reference']:,}.",
        f"Undefined figures of agreement: {undefined or 'none'}.",
    )


def _raters(facts: Facts) -> tuple[str, ...]:
    median = facts["median"]
    return (
        (
            f"{counted(facts['raters'], 'rater')} gave {counted(facts['ratings'], 'rating')}:"
            f" between {facts['fewest']:,} and {facts['most']:,} each, the median being"
            f" {median:,g}."
        ),
        f"{counted(facts['adjudicators'], 'adjudicator')} decided"
        f" {counted(facts['decisions'], 'time')}."
        if facts["decisions"]
        else "",
    )


def _people(facts: Facts) -> tuple[str, ...]:
    entries = "; ".join(
        f"{_ENTRIES[entry]}: {number:,}" for entry, number in facts["entries"].items()
    )
    roles = ", ".join(f"{role} {number:,}" for role, number in facts["roles"].items())
    return (
        f"Their roles in the campaign: {roles}." if roles else "",
        f"How they came to it: {entries}." if entries else "",
        f"Deactivated when the release was made, their ratings being here: {facts['inactive']:,}.",
        f"Unknown to the platform: {facts['unknown']:,}." if facts["unknown"] else "",
    )


_ENTRIES = {
    "account": "an account they were given",
    "invitation": "an invitation link",
    "crowd": "a crowd service",
    "import": "ratings imported under their name",
}


def _period(facts: Facts) -> tuple[str, ...]:
    if facts["first"] is None:
        return ("No rating has a date.",)
    undated = facts["undated"]
    return (
        f"From {facts['first']} to {facts['last']} (UTC).",
        f"Without a date: {undated:,} of {counted(facts['ratings'], 'rating')}." if undated else "",
    )


def _guidelines(facts: Facts) -> tuple[str, ...]:
    versions = (
        f"Version {version} (guidelines/v{version}.md): {counted(ratings, 'rating')}."
        for version, ratings in facts["versions"].items()
    )
    unknown = facts["unknown"]
    return (*versions, f"No version is known of {counted(unknown, 'rating')}." if unknown else "")


def _suggestions(facts: Facts) -> tuple[str, ...]:
    return (
        (
            f"Ratings given with a machine's suggestion in sight: {facts['shown']:,}; without:"
            f" {facts['hidden']:,}; not known: {facts['unknown']:,}."
        ),
    )


def _time(facts: Facts) -> tuple[str, ...]:
    timed = f"{facts['timed']:,} of {counted(facts['ratings'], 'rating')}"
    if not facts["timed"]:
        return (f"The active time is known of {timed}.",)
    return (
        (
            f"Median active time per rating: {facts['median_seconds']:.1f} seconds; in all"
            f" {facts['total_seconds'] / 3600:,.1f} hours."
        ),
        (
            f"It is known of {timed}; what went into earlier versions of a rating, into skipped"
            " items and into training is not in it."
        ),
    )


def _labels(facts: Facts) -> tuple[str, ...]:
    sources = facts["sources"]
    found = ", ".join(f"{source} {items:,}" for source, items in sources.items() if items)
    return (
        f"Labels were chosen as {facts['choice']}; where the labels of items come from: {found}.",
    )


def _consent(facts: Facts) -> tuple[str, ...]:
    if not facts["versions"]:
        return ("The platform asked raters for no consent.",)
    raters = counted(facts["raters"], "rater")
    return (
        *(
            f"Version {version} of the consent text: {agreed:,} of {raters} agreed."
            for version, agreed in facts["versions"].items()
        ),
        f"To any version: {facts['agreed_to_any']:,}.",
    )


def _calibration(facts: Facts) -> tuple[str, ...]:
    state = "is required" if facts["is_required"] else "is not required"
    rule = (
        f" ({counted(facts['items'], 'item')}, {facts['pass_percent']} % as expected to pass,"
        f" {counted(facts['attempts_allowed'], 'attempt')})"
    )
    return (
        f"As the release was made a calibration {state}{rule if facts['is_required'] else ''}.",
        (
            f"Of {counted(facts['raters'], 'rater')}, {facts['tried']:,} tried one and"
            f" {facts['passed']:,} passed."
        ),
    )


def _licence(facts: Facts) -> tuple[str, ...]:
    known = licence_named(facts["licence"])
    name = f"{known.name} ({known.spdx})" if known else facts["licence"]
    return (f"{name}; see {LICENCE}.",)


_SENTENCES: Mapping[str, Callable[[Facts], tuple[str, ...]]] = {
    "contents": _contents,
    "limits": _limits,
    "raters": _raters,
    "people": _people,
    "period": _period,
    "guidelines": _guidelines,
    "suggestions": _suggestions,
    "time": _time,
    "labels": _labels,
    "consent": _consent,
    "calibration": _calibration,
    "licence": _licence,
}
