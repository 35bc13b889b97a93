"""The columns that the explorer can show, states in words, and marks of votes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasks.agreement.shown.labels import label_colours
from tasks.explorer.queries.rows import COMPLETE
from tasks.models import Campaign
from tasks.models.explorer import ItemState
from tasks.models.item import ItemPurpose

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


SCORE: Final = "score:"
"""Begins the name of a column of a matcher's scores."""


class Column(NamedTuple):
    """A column by its name in the address; `order` is what it is sorted by, if it can be, and
    `in_files` are the columns that files have for it. `is_english`: its title is the protocol's.
    """

    name: str
    title: "StrPromise | str"
    order: str = ""
    is_number: bool = False
    is_english: bool = False
    in_files: tuple[str, ...] = ()

    @property
    def matcher(self) -> str:
        """The matcher whose scores it has; empty for other columns."""
        return self.name.removeprefix(SCORE) if self.name.startswith(SCORE) else ""

    @property
    def kind(self) -> str:
        """The class by which its cells are styled."""
        return "score" if self.matcher else self.name


QUESTION: Final = Column("question", gettext_lazy("Question"), "question")


def columns_of(campaign: Campaign, matchers: Iterable[str]) -> list[Column]:
    """All there are, in their order; the question comes before them."""
    protocol = campaign.annotation_protocol
    return [
        Column("key", gettext_lazy("Id"), "number", in_files=("id",)),
        Column("document", gettext_lazy("Document"), in_files=("document",)),
        Column("references", protocol.reference_title, is_english=True, in_files=("references",)),
        Column(
            "candidate",
            protocol.candidate_title,
            "candidate",
            is_english=True,
            in_files=("candidate",),
        ),
        Column("systems", gettext_lazy("Systems"), in_files=("systems",)),
        Column("votes", gettext_lazy("Votes"), "ratings", in_files=("wanted", "ratings", "votes")),
        Column("label", gettext_lazy("Majority"), "label", in_files=("label",)),
        Column("share", gettext_lazy("Share"), "share", is_number=True, in_files=("share",)),
        Column("decided", gettext_lazy("Decision"), in_files=("decided",)),
        *(
            Column(f"{SCORE}{name}", name, "score", is_number=True, in_files=("scores",))
            for name in matchers
        ),
        Column("state", gettext_lazy("State"), in_files=("state", "withheld")),
        Column("tags", gettext_lazy("Tags"), in_files=("tags",)),
        Column("flags", gettext_lazy("Flags"), is_number=True, in_files=("open_flags", "flags")),
        Column("skips", gettext_lazy("Skips"), is_number=True, in_files=("skips",)),
        Column("last_rated", gettext_lazy("Last rated"), "last_rated", in_files=("last_rated_at",)),
    ]


def usual_columns(campaign: Campaign, there: Iterable[Column], matcher: str = "") -> list[str]:
    """Those that are shown unless others are chosen, with the scores that are asked for."""
    wanted = {"references", "candidate", "systems", "votes", "state"}
    wanted.add(f"{SCORE}{matcher or campaign.suggestion_matcher}")
    return [column.name for column in there if column.name in wanted]


def chosen_columns(names: Sequence[str], there: Sequence[Column], usual: list[str]) -> list[Column]:
    """The columns of these names, in their own order; the usual ones where none is named."""
    wanted = {part for name in names for part in name.split(",")}
    found = [column for column in there if column.name in wanted]
    return found or [column for column in there if column.name in usual]


def state_title(state: str, purpose: str = "") -> str:
    """Of a row of the explorer; with votes withheld it says no more than that ratings are there.

    Of an item that gets no votes it is the `purpose`, where that is given.
    """
    if purpose and state == ItemState.APART:
        return str(ItemPurpose(purpose).label)
    return _("All ratings in") if state == COMPLETE else str(ItemState(state).label)


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
