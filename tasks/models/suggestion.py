"""Matchers' scores of items, and which of them raters saw, and for how long."""

from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from tasks.models.assignment import Assignment
from tasks.models.item import Item
from tasks.models.rating import SuggestionArm


class Suggestion(models.Model):
    """A matcher's score for an item, stored once per version of the matcher.

    `is_correct` says on which side of the matcher's threshold the score lies; `explanation` is what
    the score comes from, where the matcher can say it.
    """

    item = models.ForeignKey(Item, models.PROTECT, related_name="suggestions")
    matcher = models.CharField(max_length=80)
    version = models.CharField(max_length=255)
    score = models.FloatField()
    is_correct = models.BooleanField()
    explanation = models.JSONField(null=True)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "matcher", "version"], name="scored_once"),
            models.CheckConstraint(
                condition=models.Q(score__gte=0, score__lte=1), name="score_in_unit_interval"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.matcher} {self.score:.2f}"


LONGEST_LOOK = timedelta(minutes=30)

Ending = Literal["closed", "left-open", "never-closed"]


class SuggestionView(models.Model):
    """That a suggestion was put before the rater of an assignment, for the first time.

    With the item (`arm` before) from when the item was handed out until it was rated; after the
    answer from when the page with both was sent until the rater went on. Times are the database's.
    `shown_at` is null while the page is still to be sent, and where an item was rated that nobody
    had asked for; `closed_at` is null until the rater goes on, which may be never.
    """

    assignment = models.OneToOneField(Assignment, models.PROTECT, related_name="suggestion_view")
    suggestion = models.ForeignKey(Suggestion, models.PROTECT, related_name="views")
    arm = models.CharField(max_length=20, choices=SuggestionArm)
    shown_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(arm__in=[SuggestionArm.BEFORE, SuggestionArm.AFTER]),
                name="view_of_a_shown_suggestion",
            ),
            models.CheckConstraint(
                condition=Q(shown_at=None) | Q(closed_at=None) | Q(closed_at__gte=F("shown_at")),
                name="suggestion_closed_after_it_was_shown",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.suggestion} {self.arm} {self.assignment}"

    @property
    def length(self) -> "ViewLength":
        return length_of(self.shown_at, self.closed_at)


class ViewLength(NamedTuple):
    """The end of a view of a suggestion, and the seconds until then.

    They are None where that is not known, and above LONGEST_LOOK: a page that was left open says
    nothing of how long somebody looked at it.
    """

    ending: Ending
    seconds: float | None


def length_of(shown_at: datetime | None, closed_at: datetime | None) -> ViewLength:
    if closed_at is None:
        return ViewLength("never-closed", None)
    if shown_at is None:
        return ViewLength("closed", None)
    if closed_at - shown_at > LONGEST_LOOK:
        return ViewLength("left-open", None)
    return ViewLength("closed", (closed_at - shown_at).total_seconds())
