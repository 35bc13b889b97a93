"""Which items settle an answer, where several questions have the same texts.

An item is a text beside references, judged once whatever brought it. So an answer to a question is
settled by items that came with another question of the same text and passage as well.
"""

from collections.abc import Callable, Collection, Iterable
from typing import TypeVar

Item = TypeVar("Item")


def settling_items(
    references: Collection[str],
    own: Iterable[Item],
    others: Iterable[Item],
    references_of: Callable[[Item], Iterable[str]],
) -> list[Item]:
    """Of the items of one text those that settle it as an answer to a question.

    All of the question's `own` do. Of the `others`, which came with questions of the same texts,
    those do whose references are among the question's, unless an item that is in already has them
    all; those with most references come first, else the order given.
    """
    found = list(own)
    seen = [frozenset(references_of(item)) for item in found]
    known = frozenset(references)
    fitting = ((frozenset(references_of(item)), item) for item in others)
    for compared, item in sorted(fitting, key=lambda pair: -len(pair[0])):
        if compared <= known and not any(compared <= each for each in seen):
            found.append(item)
            seen.append(compared)
    return found
