"""The columns that the explorer can show."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from django.utils.translation import gettext_lazy

from tasks.models import Campaign

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
        """Whose scores it has; empty for other columns."""
        return self.name.removeprefix(SCORE) if self.name.startswith(SCORE) else ""

    @property
    def kind(self) -> str:
        """What its cells are styled by."""
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
