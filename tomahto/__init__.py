"""Judge answers to questions: matchers, agreement, statistics, releases. No Django, no database.

    import tomahto

    tomahto.score("Where is the Louvre?", ["Paris"], "in Paris")

What is named here is loaded when it is first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tomahto.matching.scores import Score, matchers, score, score_pairs

__all__ = ["Score", "matchers", "score", "score_pairs"]

_HOME = dict.fromkeys(__all__, "tomahto.matching.scores")


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'tomahto' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)
