"""What raters saw of suggestions, and for how long."""

from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from django.db import models
from django.db.models import F, Q

from tasks.models.ratings.assignment import Assignment
from tasks.models.ratings.rating import SuggestionArm
from tasks.models.suggestion import Suggestion

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
    """How the view of a suggestion ended, and after how many seconds.

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
