"""Reading aids: answers marked in the passage, and the words in which two answers differ.

Everything here is text in, segments of text out; templates escape and draw them. The work grows
with the length of the texts and has a limit; what lies beyond it is said on the page.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice

from tasks.rating.shown.phrases import Phrases
from tomahto.text.normalisation import bag_overlap, tokens

REFERENCE, CANDIDATE, BOTH = "reference", "candidate", "both"
MAX_SEARCHED = 50_000  # characters of a passage in which answers are marked
MAX_MARKS = 500  # places of the references, and of the candidate
MAX_COMPARED = 2_000  # words and spaces of an answer that is compared word by word
MAX_EQUAL_PAIRS = 3_000  # pairs of equal words, one of each answer: what a comparison looks at
MAX_REFERENCES = 500  # shown of one item
MAX_REFERENCE_TEXT = 50_000  # characters of all that are shown, but for the first
_LONG = 900
_MARGIN = 260
_PARTS = re.compile(r"\w+|[^\w\s]")
_WORDS = re.compile(r"\w+|[^\w\s]+|\s+")

Span = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text and what it is: "" for plain, or one of the marks."""

    text: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A context with its marks. `excerpt` is empty where the whole is short enough to show.

    `most_marks` and `searched` are the limits that were reached: of places, and of characters.
    """

    whole: tuple[Segment, ...]
    excerpt: tuple[Segment, ...] = ()
    most_marks: int = 0
    searched: int = 0

    @property
    def has_marks(self) -> bool:
        return any(segment.mark for segment in self.whole)


@dataclass(frozen=True, slots=True)
class ComparedAnswers:
    """The references and the candidate, with the words that the closest pair does not share.

    `of_references` is the number of references, of which those shown are the first.
    `is_too_long`: they were not compared.
    """

    references: tuple[tuple[Segment, ...], ...]
    candidate: tuple[Segment, ...]
    of_references: int
    is_too_long: bool = False


def shown_references(references: Sequence[str]) -> Sequence[str]:
    """As many of them as a page shows: all but of an item that nobody could read."""
    room = MAX_REFERENCE_TEXT
    for shown, reference in enumerate(references[:MAX_REFERENCES]):
        room -= len(reference)
        if room < 0:
            return references[: max(shown, 1)]
    return references[:MAX_REFERENCES]


def read_passage(context: str, references: Sequence[str], candidate: str) -> Passage:
    """The context with the places of the answers marked, folded around them if long."""
    parts = list(_PARTS.finditer(context[:MAX_SEARCHED]))
    words = [part[0].casefold() for part in parts]
    found = [
        [(*span, mark) for span in islice(_places(_phrases(answers), words, parts), MAX_MARKS + 1)]
        for mark, answers in ((REFERENCE, shown_references(references)), (CANDIDATE, [candidate]))
    ]
    spans = [span for places in found for span in places[:MAX_MARKS]]
    limits = (
        MAX_MARKS if any(len(places) > MAX_MARKS for places in found) else 0,
        MAX_SEARCHED if len(context) > MAX_SEARCHED else 0,
    )
    whole = tuple(_segments(context, spans, 0, len(context)))
    if len(context) <= _LONG:
        return Passage(whole, (), *limits)
    return Passage(whole, tuple(_excerpt(context, spans, *_window(context, spans))), *limits)


def answer_marker(
    references: Sequence[str], candidate: str
) -> Callable[[str], tuple[Segment, ...]]:
    """A function that marks the answers in one run of text after the other."""
    answers = {REFERENCE: shown_references(references), CANDIDATE: [candidate]}
    phrases = {mark: _phrases(texts) for mark, texts in answers.items()}

    def marked(text: str) -> tuple[Segment, ...]:
        parts = list(_PARTS.finditer(text))
        words = [part[0].casefold() for part in parts]
        spans = [
            (*span, mark)
            for mark, searched in phrases.items()
            for span in _places(searched, words, parts)
        ]
        return tuple(_segments(text, spans, 0, len(text)))

    return marked


def compare_answers(references: Sequence[str], candidate: str) -> ComparedAnswers:
    """Mark the words that the candidate and the closest reference have alone.

    Two answers without a word in common are left unmarked: everything would be.
    """
    plain, answer = unmarked_answers(references, candidate), tokens(candidate)
    if not references:
        return plain
    shown = shown_references(references)
    closest = max(shown, key=lambda each: bag_overlap(answer, tokens(each)).f1)
    if (found := _difference(closest, candidate)) is None:
        return replace(plain, is_too_long=True)
    in_reference, in_candidate = found
    marked = tuple(in_reference if each == closest else (Segment(each),) for each in shown)
    return replace(plain, references=marked, candidate=in_candidate)


def unmarked_answers(references: Sequence[str], candidate: str) -> ComparedAnswers:
    """The same without marks, where raters are to find the difference themselves."""
    shown = shown_references(references)
    return ComparedAnswers(
        tuple((Segment(each),) for each in shown),
        (Segment(candidate),),
        of_references=len(references),
    )


def _phrases(answers: Iterable[str]) -> Phrases:
    return Phrases([part.casefold() for part in _PARTS.findall(answer)] for answer in answers)


def _places(
    phrases: Phrases, words: Iterable[str], parts: Sequence[re.Match[str]]
) -> Iterator[tuple[int, int]]:
    """Where any of the phrases stands as whole words, in order and apart from each other.

    `words` and `parts` are those of the text: words and single signs, whatever their case.
    """
    free = start = end = 0
    for first, after in phrases.spans_in(words):
        begins = parts[first].start()
        if begins < end:
            start = max(min(start, begins), free)
        else:
            if start < end:
                yield start, end
            free, start = end, begins
        end = parts[after - 1].end()
    if start < end:
        yield start, end


def _segments(context: str, spans: Sequence[Span], start: int, end: int) -> Iterator[Segment]:
    """The text between start and end, cut wherever a mark begins or ends.

    One sweep over the edges; spans of the same mark lie apart.
    """
    edges = sorted((edge, mark) for *span, mark in spans for edge in span)
    marks: set[str] = set()
    for edge, mark in [*edges, (end, "")]:
        cut = min(max(edge, start), end)
        if start < cut:
            yield Segment(context[start:cut], BOTH if len(marks) > 1 else "".join(marks))
            start = cut
        marks ^= {mark}


def _window(context: str, spans: Sequence[Span]) -> tuple[int, int]:
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


def _excerpt(context: str, spans: Sequence[Span], start: int, end: int) -> Iterable[Segment]:
    if start:
        yield Segment("… ")
    yield from _segments(context, spans, start, end)
    if end < len(context):
        yield Segment(" …")


def _difference(first: str, second: str) -> tuple[tuple[Segment, ...], tuple[Segment, ...]] | None:
    """Both texts in shared and own words; None if finding these would take too long."""
    ours, theirs = _WORDS.findall(first), _WORDS.findall(second)
    left, right = ([word.casefold() for word in words] for words in (ours, theirs))
    in_left, in_right = (Counter(w for w in words if not w.isspace()) for words in (left, right))
    equal_pairs = sum(number * in_right[word] for word, number in in_left.items())
    if not equal_pairs:
        return (Segment(first),), (Segment(second),)
    if equal_pairs > MAX_EQUAL_PAIRS or max(len(left), len(right)) > MAX_COMPARED:
        return None
    matcher = SequenceMatcher(str.isspace, left, right, autojunk=False)
    same = matcher.get_matching_blocks()
    return (
        tuple(_own_words(ours, [(block.a, block.size) for block in same])),
        tuple(_own_words(theirs, [(block.b, block.size) for block in same])),
    )


def _own_words(words: Sequence[str], shared: Sequence[tuple[int, int]]) -> Iterable[Segment]:
    """The text in runs of shared (plain) and own ("own") words."""
    place = 0
    for start, size in shared:
        if own := "".join(words[place:start]):
            yield Segment(own, "own" if own.strip() else "")
        if both := "".join(words[start : start + size]):
            yield Segment(both)
        place = start + size
