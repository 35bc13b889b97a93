"""A thread as one of its people sees it: raters see admins by name, admins raters by pseudonym."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tasks.models import (
    Assignment,
    AssignmentState,
    Flag,
    Item,
    Membership,
    Message,
    MessageKind,
    Thread,
)
from tasks.talk.queries.mentions import Handles
from tasks.talk.queries.threads import (
    SHOWN,
    admins_of,
    open_flag_of,
    threads_seen_by,
    with_messages,
)
from tasks.talk.shown.texts import as_html

_REFERENCES = 5


def name_of(author: Membership, thread: Thread) -> str:
    """What others in a thread call somebody who writes in it."""
    return thread.rater.pseudonym if author.pk == thread.rater_id else author.name


@dataclass(frozen=True)
class ShownMessage:
    """A message before the eyes of a member."""

    message: Message
    thread: Thread
    viewer: Membership
    handles: Handles

    @property
    def author(self) -> str:
        return _("You") if self.is_own else name_of(self.message.author, self.thread)

    @property
    def is_own(self) -> bool:
        return self.message.author_id == self.viewer.pk

    @property
    def is_of_staff(self) -> bool:
        return self.message.author_id != self.thread.rater_id

    @property
    def is_settlement(self) -> bool:
        return self.message.kind == MessageKind.SETTLED

    @property
    def html(self) -> SafeString:
        return as_html(self.message.text, self.handles.pattern)


@dataclass(frozen=True)
class ShownThread:
    """A thread before the eyes of a member. Nothing of it is shown to who is rating its item."""

    thread: Thread
    viewer: Membership
    handles: Handles
    key: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def is_held(self) -> bool:
        return bool(getattr(self.thread, "is_held", False))

    @cached_property
    def messages(self) -> list[ShownMessage]:
        """The latest ones, in the order in which they were written."""
        latest: list[Message] = getattr(self.thread, "latest_messages", [])
        return [
            ShownMessage(each, self.thread, self.viewer, self.handles) for each in reversed(latest)
        ]

    @property
    def is_cut(self) -> bool:
        return len(self.messages) >= SHOWN

    @property
    def has_words(self) -> bool:
        """Whether there is more than flags and how they were settled."""
        return any(each.message.kind == MessageKind.WORDS for each in self.messages)

    @property
    def is_own(self) -> bool:
        return self.thread.rater_id == self.viewer.pk

    @cached_property
    def open_flag(self) -> Flag | None:
        return open_flag_of(self.thread)

    @property
    def offered(self) -> list[str]:
        """Whom the viewer may name."""
        return self.handles.offered_to(self.viewer)

    @property
    def references(self) -> list[str]:
        return list(self.thread.item.references[:_REFERENCES])

    @property
    def references_left(self) -> int:
        return max(0, len(self.thread.item.references) - _REFERENCES)

    @cached_property
    def assignment(self) -> int | None:
        """Where the viewer rates the item or may revise their rating of it."""
        own = Assignment.objects.filter(item=self.thread.item_id, rater=self.viewer)
        return own.exclude(state=AssignmentState.SKIPPED).values_list("pk", flat=True).first()


def shown_thread(thread: Thread, viewer: Membership) -> ShownThread:
    return ShownThread(thread, viewer, Handles(thread))


def threads_on(item: Item, viewer: Membership) -> Iterator[ShownThread]:
    """All threads on an item that the viewer may see, the one with the latest beginning first."""
    seen = with_messages(threads_seen_by(viewer).filter(item=item)).order_by("-pk")
    return _shown(list(seen), viewer)


def threads_of_flags(flags: list[Flag], viewer: Membership) -> dict[int, ShownThread]:
    """The threads of flags, by the keys of the flags."""
    seen = threads_seen_by(viewer).filter(
        item__in={flag.item_id for flag in flags}, rater__in={flag.rater_id for flag in flags}
    )
    by_place = {
        (each.thread.item_id, each.thread.rater_id): each
        for each in _shown(list(with_messages(seen)), viewer)
    }
    places = {flag.pk: (flag.item_id, flag.rater_id) for flag in flags}
    return {flag: by_place[place] for flag, place in places.items() if place in by_place}


def _shown(threads: list[Thread], viewer: Membership) -> Iterator[ShownThread]:
    admins = list(admins_of(viewer.campaign_id)) if threads else []
    return (ShownThread(thread, viewer, Handles(thread, admins)) for thread in threads)
