"""What the looks at a campaign found, in sentences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.agreement.workflow.looks import next_look_at
from tasks.models import Look
from tasks.web.number_texts import decimals


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence, and the address where there is more of it."""

    text: str
    address: str


_SMALLEST = 0.0001

Sentences = Callable[[Mapping[str, Any]], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class LookFindings:
    """A look and what it found of the things in question."""

    look: Look
    found: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """The latest look, None before the first, and earlier looks that found something.

    The next look is made at `next_at` ratings.
    """

    latest: LookFindings | None
    earlier: tuple[LookFindings, ...]
    next_at: int


def findings_of(looks: Sequence[Look], sentences: Sentences) -> Findings:
    """`sentences` says in words what it finds in the findings of a look; looks newest first."""
    told = [LookFindings(look, tuple(sentences(look.as_json()["findings"]))) for look in looks]
    return Findings(
        latest=told[0] if told else None,
        earlier=tuple(each for each in told[1:] if each.found),
        next_at=next_look_at(looks[0] if looks else None),
    )


def p_value(p: float) -> str:
    """As in "= 0.0012", to be put after the letter p."""
    return f"= {decimals(p, 4)}" if p >= _SMALLEST else f"< {decimals(_SMALLEST, 4)}"
