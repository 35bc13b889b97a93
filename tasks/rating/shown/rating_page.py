"""The rating page, worked out before a template sees it; and the step after a rating, which shows
the matcher's suggestion."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, NamedTuple
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tasks.models import (
    Assignment,
    AssignmentState,
    Flag,
    Item,
    Membership,
    Rating,
    Suggestion,
    SuggestionView,
)
from tasks.protocols.definition import AnnotationProtocol, Answers, AnswersError, Choice, Question
from tasks.protocols.wording import PUBLISHED, Wording, worded
from tasks.rating.queries.own_work import open_flag_on
from tasks.rating.shown.answers import answers_in, own_wording, wording_for
from tasks.rating.shown.passage import ShownPassage, shown_passage
from tasks.rating.shown.reading import ComparedAnswers, compare_answers, unmarked_answers
from tasks.rating.workflow.rating import suggestion_before
from tasks.votes.ratings import history_of
from tasks.web.page import row_number
from tomahto.votes.remarks import NOTHING_SAID, Remarks

StepState = Literal["answered", "asked", "later"]


@dataclass(frozen=True, slots=True)
class Filling:
    """The content of a form so far. `key` is the idempotency key it will submit under.

    `was_cut` says that it held answers to questions that an earlier answer has closed.
    """

    answers: Answers = field(default_factory=dict)
    remarks: Remarks = NOTHING_SAID
    seconds: float | None = None
    key: str = field(default_factory=lambda: str(uuid.uuid4()))
    was_cut: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Why a form came back. `kind` is "error", or "guidelines" if they are to be shown again."""

    text: str
    kind: str = "error"
    question: str = ""


@dataclass(frozen=True, slots=True)
class StepChoice:
    """One choice of a question: whether it is given, and whether it may be."""

    choice: Choice
    is_given: bool
    is_offered: bool

    @property
    def when(self) -> str:
        """The rule of `Choice.when`, as the page's script reads it."""
        return urlencode(self.choice.when)


@dataclass(frozen=True)
class Step:
    """One question of the form and what has become of it."""

    question: Question
    number: int
    state: StepState
    answers: Answers

    @property
    def choices(self) -> list[StepChoice]:
        given = self.answers.get(self.question.key, "").split("+")
        return [
            StepChoice(choice, choice.value in given, choice.is_offered(self.answers))
            for choice in self.question.choices
        ]

    @property
    def given_titles(self) -> str:
        return ", ".join(each.choice.title for each in self.choices if each.is_given)

    @property
    def when(self) -> str:
        """The rule of `Question.when`, as the page's script reads it."""
        return urlencode(self.question.when)


@dataclass(frozen=True)
class RatingPage:
    """One item with its form, for one rater.

    `follows` is the assignment in hand where this is the item after it, fetched beforehand;
    `wording` has the words of the form, and `own_wording` those of the rater's language.
    """

    assignment: Assignment
    filling: Filling
    notice: Notice | None = None
    follows: int | None = None
    wording: Wording = PUBLISHED
    own_wording: Wording = PUBLISHED

    @property
    def membership(self) -> Membership:
        return self.assignment.rater

    @cached_property
    def protocol(self) -> AnnotationProtocol:
        return worded(self.membership.campaign.annotation_protocol, self.wording)

    @cached_property
    def passage(self) -> ShownPassage:
        return shown_passage(self.assignment.item, self.membership.campaign)

    @cached_property
    def answers(self) -> ComparedAnswers:
        """The answers, with the words in which they differ if the campaign wants them marked."""
        item = self.assignment.item
        if not self.membership.campaign.shows_differences:
            return unmarked_answers(item.references, item.candidate)
        return compare_answers(item.references, item.candidate)

    @cached_property
    def is_complete(self) -> bool:
        return self.protocol.next_question(self.filling.answers) is None

    @cached_property
    def asked(self) -> Question:
        """The first question without an answer; the last answered one when all have theirs."""
        following = self.protocol.next_question(self.filling.answers)
        if following is not None:
            return following
        return [q for q in self.protocol.questions if q.key in self.filling.answers][-1]

    @cached_property
    def ends_here(self) -> bool:
        """Whether any answer to the question asked completes the form."""
        answers = {k: v for k, v in self.filling.answers.items() if k != self.asked.key}
        return all(
            self.protocol.next_question({**answers, self.asked.key: choice.value}) is None
            for choice in self.asked.choices
        )

    @property
    def steps(self) -> Iterator[Step]:
        for number, question in enumerate(self.protocol.questions, start=1):
            answers = self.filling.answers
            state: StepState = "answered" if question.key in answers else "later"
            state = "asked" if question == self.asked else state
            yield Step(question, number, state, answers)

    @property
    def shown_steps(self) -> list[Step]:
        return [step for step in self.steps if step.state != "later"]

    @property
    def later_steps(self) -> list[Step]:
        return [step for step in self.steps if step.state == "later"]

    @cached_property
    def revised(self) -> Rating | None:
        if self.assignment.state != AssignmentState.SUBMITTED:
            return None
        return current_rating(self.assignment)

    @property
    def revised_label(self) -> str:
        return label_title(self.revised, self.wording) if self.revised else ""

    @cached_property
    def previous(self) -> int | None:
        """The assignment of the rating before this one, by the time of rating."""
        if self.follows is not None:
            return self.follows
        earlier = history_of(self.membership).exclude(assignment=None)
        if self.revised is not None:
            earlier = earlier.filter(pk__lt=self.revised.pk)
        return earlier.values_list("assignment", flat=True).first()

    @cached_property
    def flag(self) -> Flag | None:
        return open_flag_on(self.assignment.item_id, self.assignment.rater_id)

    @cached_property
    def suggestion(self) -> Suggestion | None:
        """The matcher's opinion, only where this rater is to see it with the item."""
        return suggestion_before(
            self.membership.campaign,
            assignment_id=self.assignment.pk,
            item_id=self.assignment.item_id,
        )


def form_page(
    membership: Membership, item: Item, filling: Filling, notice: Notice | None = None
) -> RatingPage:
    """The rating page of an item that nobody is assigned to: the assignment is never stored."""
    return RatingPage(Assignment(item=item, rater=membership), filling, notice)


class Turn(NamedTuple):
    """The content of a form after a press of one of its buttons; `action` is "submit" where it is
    complete, else "show" for a form that comes back, or one of the page's own."""

    action: str
    answers: dict[str, str]
    notice: Notice | None = None


def turn_of(request: HttpRequest, protocol: AnnotationProtocol, *own_actions: str) -> Turn:
    """Without JavaScript a form comes back with the next question, or the one before, until it is
    complete; with a notice if the one asked has no answer. Raises BadRequest."""
    try:
        answers = protocol.cut(answers_in(request.POST, protocol))
    except AnswersError as error:
        raise BadRequest(str(error)) from error
    asked, action = request.POST.get("asked", ""), request.POST.get("action", "")
    if action in own_actions:
        return Turn(action, answers)
    if action == "previous":
        before = protocol.before(asked, answers)
        return Turn("show", answers if before is None else before)
    if action not in ("submit", "next"):
        raise BadRequest("no such action")
    if action == "submit" and protocol.next_question(answers) is None:
        return Turn("submit", answers)
    unanswered = Notice(_("Choose an answer to this question first."), question=asked)
    return Turn("show", answers, None if asked in answers else unanswered)


def in_words_for(request: HttpRequest, page: RatingPage) -> RatingPage:
    campaign = page.membership.campaign
    wording, own = wording_for(request, campaign), own_wording(request, campaign)
    return replace(page, wording=wording, own_wording=own)


@dataclass(frozen=True, slots=True)
class Stored:
    """A stored rating, for the page that follows its submission."""

    rating: Rating
    wording: Wording

    @property
    def label(self) -> str:
        return label_title(self.rating, self.wording)


def stored_rating(membership: Membership, assignment_id: str, wording: Wording) -> Stored | None:
    if (assignment := row_number(assignment_id)) is None:
        return None
    ratings = history_of(membership).select_related("item__campaign")
    rating = ratings.filter(assignment=assignment).first()
    return Stored(rating, wording) if rating else None


def label_title(rating: Rating, wording: Wording) -> str:
    protocol = worded(rating.item.campaign.annotation_protocol, wording)
    return protocol.titles[rating.outcome.label]


def current_rating(assignment: Assignment) -> Rating | None:
    return (
        Rating.objects.filter(assignment=assignment, superseded_by=None)
        .select_related("outcome", "item__campaign")
        .first()
    )


def saved_filling(assignment: Assignment) -> Filling:
    """The form as the rater left it: the newest draft, else the rating as it stands."""
    protocol = assignment.rater.campaign.annotation_protocol
    draft = assignment.drafts.order_by("-updated_at").first()
    if draft is not None:
        return Filling(protocol.cut(draft.answers), Remarks.of(draft), draft.seconds)
    if assignment.state == AssignmentState.SUBMITTED and (rating := current_rating(assignment)):
        return Filling(protocol.cut(rating.outcome.answers), Remarks.of(rating))
    return Filling()


@dataclass(frozen=True)
class SeenSuggestion:
    """An item with the rater's label and the suggestion beside it, in the words of the form."""

    view: SuggestionView
    membership: Membership
    wording: Wording

    @property
    def item(self) -> Item:
        return self.view.assignment.item

    @property
    def suggestion(self) -> Suggestion:
        return self.view.suggestion

    @cached_property
    def page(self) -> RatingPage:
        self.view.assignment.rater = self.membership
        return RatingPage(self.view.assignment, Filling(), wording=self.wording)

    @property
    def own_label(self) -> str:
        return label_title(self._rating, self.wording)

    @property
    def suggested_label(self) -> str:
        """The one label on the side that the matcher suggests; "" where there are several."""
        return suggested_label(self.page.protocol, self.suggestion)

    @cached_property
    def _rating(self) -> Rating:
        rating = current_rating(self.view.assignment)
        assert rating is not None  # noqa: S101 - what comes after an answer has one
        return rating


def suggested_label(protocol: AnnotationProtocol, suggestion: Suggestion) -> str:
    titles = [
        label.title
        for label in protocol.labels
        if (label.value in protocol.correct_labels) == suggestion.is_correct
    ]
    return titles[0] if len(titles) == 1 else ""
