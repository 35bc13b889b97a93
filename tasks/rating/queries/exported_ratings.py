"""The ratings of a campaign as they stand, line by line: what `import_ratings` reads back.

A release is for others; this is for those who work in the campaign and want the ratings now. One
query reads the ratings, so they are of one moment.

What many lines share is read and written once: names for the campaign, texts for each group of
ratings. Nothing is made of a value that the line has as the database gives it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from tasks.models import Campaign, Item, Outcome, Rating
from tasks.models.ratings.suggestion_view import length_of
from tasks.protocols.definition import AnnotationProtocol
from tasks.votes.item_texts import QuestionTexts, among, texts_of_items
from tasks.votes.ratings import current_ratings
from tasks.votes.time_texts import TimeText, iso_of, time_of
from tomahto.releases.files.json_lines import json_text, quoted

_CHUNK = 5000
_VIEW = "assignment__suggestion_view"
_RATING = (
    *("item_id", "rater_id", "outcome_id", "slot_id", "seconds", "given_at", "guideline_id"),
    *("suggestion_arm", _VIEW, "shown_at", "closed_at"),
)

_Pieces = tuple[str, str]
"""What a question says in a line, before and after what an item says."""


def rating_lines(campaign: Campaign, *, with_comments: bool = False) -> Iterator[str]:
    """Every current rating as a JSON line, surplus ones included, by item and in order of time.

    A line has the item's fields, `rater` (the pseudonym), `label`, the protocol's answers,
    `counted`, and `seconds`, `created_at`, `guideline_version` and `comment` where they are known;
    `suggestion_arm` where it is, with `suggestion_view` (how the view ended) and
    `suggestion_seconds` where a suggestion was shown. Comments stay inside the platform
    unless asked for.
    """
    rows = exported_rows(campaign, with_comments=with_comments).iterator(chunk_size=_CHUNK)
    chunk = list(islice(rows, _CHUNK))
    names = _Names.of(campaign)  # read after the ratings, so of all that these point at
    while chunk:
        items = _items({row[0] for row in chunk})
        for item, rater, outcome, slot, seconds, at, guideline, *more in chunk:
            who = names.who_said(rater, outcome, slot is not None)
            took = "" if seconds is None else f',"seconds":{seconds!r}'
            when = "" if at is None else f',"created_at":"{iso_of(at)}"'
            under = names.guidelines[guideline]
            yield f"{items[item]},{who}{took}{when}{under}{_more(*more)}}}\n"
        chunk = list(islice(rows, _CHUNK))


def exported_rows(campaign: Campaign, *, with_comments: bool) -> QuerySet[Rating, tuple[Any, ...]]:
    """What lines say of ratings, in their order.

    By the item's id and not by the rating's foreign key, which is the same: so SQLite goes through
    items and ratings as their indexes have them, and sorts nothing in memory.
    """
    times = {
        "given_at": TimeText("rated_at"),
        "shown_at": TimeText(f"{_VIEW}__shown_at"),
        "closed_at": TimeText(f"{_VIEW}__closed_at"),
    }
    found = current_ratings(campaign).annotate(**times)
    in_order = found.extra(order_by=["tasks_item.id", "tasks_rating.id"])  # Django spares the join
    return in_order.values_list(*_RATING, *(["comment"] if with_comments else []))


@dataclass(frozen=True, slots=True)
class _Names:
    """What ratings point at, by id, as pieces of lines."""

    raters: Mapping[int, str]
    answers: Mapping[str, Mapping[str, Any]]
    guidelines: Mapping[int | None, str]
    said: dict[tuple[int, str, bool], str]

    @classmethod
    def of(cls, campaign: Campaign) -> "_Names":
        protocol = campaign.annotation_protocol
        outcomes = Outcome.objects.filter(protocol=campaign.protocol)
        versions = campaign.guidelines.values_list("pk", "version")
        return cls(
            dict(campaign.memberships.values_list("pk", "pseudonym")),
            {outcome.pk: _answers(protocol, outcome) for outcome in outcomes},
            {None: ""} | {pk: f',"guideline_version":{version}' for pk, version in versions},
            {},
        )

    def who_said(self, rater: int, outcome: str, is_counted: bool) -> str:
        """The rater and what they answered, whether it counts."""
        key = rater, outcome, is_counted
        if key not in self.said:
            said = {"rater": self.raters[rater], **self.answers[outcome], "counted": is_counted}
            self.said[key] = json_text(said)[1:-1]
        return self.said[key]


def _answers(protocol: AnnotationProtocol, outcome: Outcome) -> Mapping[str, Any]:
    """Label and answers of an outcome as a file of ratings has them."""
    yes_no = {question.key for question in protocol.questions if question.is_yes_no}
    given = {
        key: value == "yes" if key in yes_no else value for key, value in outcome.answers.items()
    }
    return {"label": outcome.label, **given}


def _more(
    arm: str, view: int | None, shown: str | None, closed: str | None, comment: str = ""
) -> str:
    """What few ratings have."""
    arm_of = f',"suggestion_arm":{quoted(arm)}' if arm else ""
    said = f',"comment":{quoted(comment)}' if comment else ""
    if view is None:
        return arm_of + said
    length = length_of(time_of(shown) if shown else None, time_of(closed) if closed else None)
    took = "" if length.seconds is None else f',"suggestion_seconds":{length.seconds!r}'
    return f'{arm_of},"suggestion_view":"{length.ending}"{took}{said}'


def _items(ids: Collection[int]) -> Mapping[int, str]:
    """The fields of these items, each a JSON object that is open: an item's ratings share it."""
    lines: dict[int, str] = {}
    questions: dict[int, _Pieces] = {}
    for item in texts_of_items(Item.objects.filter(among("pk", ids)).order_by()):
        question = item.question
        if question.pk not in questions:
            questions[question.pk] = _pieces(question)
        before, after = questions[question.pk]
        place = item.reference_index
        index = "" if place is None else f',"reference_index":{place}'
        lines[item.pk] = (
            f'{{"id":{quoted(item.key)}{before},"references":{_list(item.references)}'
            f',"candidate":{quoted(item.candidate)}'
            f'{index}{after},"systems":{_list(item.systems)}'
        )
    return lines


def _pieces(question: QuestionTexts) -> _Pieces:
    return (
        _fields(
            {
                "document": question.document,
                "question_id": question.key,
                "question": question.text,
                "context": question.context,
            }
        ),
        _fields({"question_type": question.question_type, "split": question.split}),
    )


def _fields(texts: Mapping[str, str]) -> str:
    """Those that say something, to follow others."""
    return "".join(f',"{name}":{quoted(text)}' for name, text in texts.items() if text)


def _list(texts: Iterable[str]) -> str:
    return f"[{','.join(map(quoted, texts))}]"
