"""Reading aids: answers marked in the passage, and the words in which two answers differ.

Everything here is text in, segments of text out; templates escape and draw them.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from measures.text import token_overlap

REFERENCE, CANDIDATE, BOTH = "reference", "candidate", "both"
_LONG = 900
_MARGIN = 260
_WORDS = re.compile(r"\w+|[^\w\s]+|\s+")


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text and what it is: "" for plain, or one of the marks."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A context with its marks. `excerpt` is empty where the whole is short enough to show."""

    whole: tuple[Segment, ...]
    excerpt: tuple[Segment, ...] = ()

    @property
    def has_marks(self) -> bool:
        return any(segment.mark for segment in self.whole)


@dataclass(frozen=True, slots=True)
class ComparedAnswers:
    """The references and the candidate, with the words that the closest pair does not share."""

    references: tuple[tuple[Segment, ...], ...]
    candidate: tuple[Segment, ...]


def read_passage(context: str, references: Sequence[str], candidate: str) -> Passage:
    """The context with every occurrence of the answers marked, folded around them if long."""
    spans = [(*span, REFERENCE) for text in references for span in _occurrences(text, context)]
    spans += [(*span, CANDIDATE) for span in _occurrences(candidate, context)]
    whole = tuple(_segments(context, spans))
    if len(context) <= _LONG:
        return Passage(whole)
    start, end = _window(context, spans)
    return Passage(whole, tuple(_excerpt(context, spans, start, end)))


def compare_answers(references: Sequence[str], candidate: str) -> ComparedAnswers:
    """Mark the words that the candidate and the closest reference have alone.

    Two answers without a word in common are left unmarked: everything would be.
    """
    closest = max(references, key=lambda each: token_overlap(candidate, each).f1)
    in_reference, in_candidate = _difference(closest, candidate)
    return ComparedAnswers(
        tuple(in_reference if each == closest else (Segment(each),) for each in references),
        in_candidate,
    )


def unmarked_answers(references: Sequence[str], candidate: str) -> ComparedAnswers:
    """The same without marks, where raters are to find the difference themselves."""
    return ComparedAnswers(tuple((Segment(each),) for each in references), (Segment(candidate),))


def _occurrences(answer: str, context: str) -> Iterable[tuple[int, int]]:
    """Where the answer stands as whole words, whatever its case and spacing."""
    words = answer.split()
    if not words:
        return []
    pattern = r"\s+".join(re.escape(word) for word in words)
    before = r"(?<!\w)" if words[0][0].isalnum() else ""
    after = r"(?!\w)" if words[-1][-1].isalnum() else ""
    found = re.finditer(f"{before}{pattern}{after}", context, re.IGNORECASE)
    return [match.span() for match in found]


def _segments(
    context: str, spans: Sequence[tuple[int, int, str]], start: int = 0, end: int | None = None
) -> Iterable[Segment]:
    """The text between start and end, cut wherever a mark begins or ends."""
    end = len(context) if end is None else end
    edges = {start, end} | {edge for *span, _mark in spans for edge in span if start < edge < end}
    cuts = sorted(edges)
    for left, right in pairwise(cuts):
        marks = {mark for first, last, mark in spans if first <= left and right <= last}
        yield Segment(context[left:right], BOTH if len(marks) > 1 else "".join(marks))


def _window(context: str, spans: Sequence[tuple[int, int, str]]) -> tuple[int, int]:
    """The part to show of a long context: around its marks, cut between words."""
    first = min((start for start, _end, _mark in spans), default=0)
    last = max((end for _start, end, _mark in spans if end - first <= _LONG), default=first)
    start, end = max(first - _MARGIN, 0), min(last + _MARGIN, len(context))
    if start:
        start = context.find(" ", start, first) + 1 or start
    if end < len(context):
        cut = context.rfind(" ", last, end)
        end = cut if cut > start else end
    return start, end


def _excerpt(
    context: str, spans: Sequence[tuple[int, int, str]], start: int, end: int
) -> Iterable[Segment]:
    if start:
        yield Segment("… ")
    yield from _segments(context, spans, start, end)
    if end < len(context):
        yield Segment(" …")


def _difference(first: str, second: str) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    ours, theirs = _WORDS.findall(first), _WORDS.findall(second)
    matcher = SequenceMatcher(
        None, [w.casefold() for w in ours], [w.casefold() for w in theirs], autojunk=False
    )
    same = [block for block in matcher.get_matching_blocks() if block.size]
    if not any(word.strip() for block in same for word in ours[block.a : block.a + block.size]):
        return (Segment(first),), (Segment(second),)
    return (
        tuple(_own_words(ours, [(block.a, block.size) for block in same])),
        tuple(_own_words(theirs, [(block.b, block.size) for block in same])),
    )


def _own_words(words: Sequence[str], shared: Sequence[tuple[int, int]]) -> Iterable[Segment]:
    """The text in runs of shared (plain) and own ("own") words."""
    place = 0
    for start, size in [*shared, (len(words), 0)]:
        if own := "".join(words[place:start]):
            yield Segment(own, "own" if own.strip() else "")
        if both := "".join(words[start : start + size]):
            yield Segment(both)
        place = start + size
