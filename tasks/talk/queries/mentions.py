"""Whom a message names: `@` and what the other side calls them."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property

from tasks.models import Membership, Thread
from tasks.talk.queries.threads import admins_of


class Handles:
    """What people in a thread can be called: admins by name, the rater by pseudonym."""

    def __init__(self, thread: Thread, admins: list[Membership] | None = None) -> None:
        staff = list(admins_of(thread.item.campaign_id)) if admins is None else admins
        self.staff = [each.name for each in staff if each.pk != thread.rater_id]
        self.rater = thread.rater.pseudonym
        self.members: Mapping[str, int] = {
            **{each.name: each.pk for each in staff},
            self.rater: thread.rater_id,
        }

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """`@` and a name that is not part of a longer word, longer names before shorter ones."""
        names = sorted(self.members, key=len, reverse=True)
        return re.compile(rf"(?<![\w@.])@({'|'.join(map(re.escape, names))})(?![\w-])")

    def named_in(self, text: str) -> Iterator[int]:
        """The members that a text names."""
        return (self.members[found[1]] for found in self.pattern.finditer(text))

    def offered_to(self, member: Membership) -> list[str]:
        """Whom the member may name: everybody in the thread but themselves."""
        return [name for name, pk in self.members.items() if pk != member.pk]
