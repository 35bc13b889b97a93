"""The step between a rating and the next item: what the matcher suggested for the item rated."""

from dataclasses import dataclass
from functools import cached_property

from tasks.models import Item, Membership, Rating, Suggestion, SuggestionView
from tasks.protocols.definition import AnnotationProtocol
from tasks.protocols.wording import Wording
from tasks.rating.shown.rating_page import Filling, RatingPage, current_rating, label_title


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
