"""Votes as small marks: a sign and a colour for each label, and the words behind them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.agreement.shown.label_colours import label_colours
from tasks.models import Campaign


@dataclass(frozen=True, slots=True)
class Mark:
    """One vote, or a label by itself: `sign` stands in the mark, `colour` is a name of a token.

    `title` is the label's, in English; `who` gave it, if anybody did.
    """

    sign: str
    colour: str
    title: str
    who: str = ""


class Marks:
    """The marks of a campaign's labels.

    Where candidates are right or wrong by one of two labels, these are a tick and a cross; else a
    label's sign is its place in the protocol, the key that gives it in most forms.
    """

    def __init__(self, campaign: Campaign) -> None:
        protocol = campaign.annotation_protocol
        self._colours = label_colours(campaign)
        self._titles = protocol.titles
        labels = list(protocol.titles)
        self._signs = {label: str(place) for place, label in enumerate(labels, start=1)}
        if len(labels) == 2 and len(protocol.correct_labels) == 1:
            self._signs = {
                label: "✓" if label in protocol.correct_labels else "✗" for label in labels
            }

    def of(self, label: str, who: str = "") -> Mark:
        """Of a label; one that the protocol has no more stands for itself."""
        return Mark(
            self._signs.get(label, "?"),
            self._colours.get(label, "soft"),
            self._titles.get(label, label),
            who,
        )

    @property
    def legend(self) -> Mapping[str, Mark]:
        """Every label's mark by the label, in the protocol's order."""
        return {label: self.of(label) for label in self._titles}


def votes_in_words(votes: Sequence[Mark], missing: int) -> str:
    """As `2 × Equivalent, 1 × Not equivalent, 1 rating missing`."""
    told = [f"{number} × {title}" for title, number in Counter(v.title for v in votes).items()]
    if missing:
        text = ngettext("%(n)s rating missing", "%(n)s ratings missing", missing)
        told.append(text % {"n": missing})
    return ", ".join(told) or _("no ratings")
