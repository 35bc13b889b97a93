"""Reading aids: answers marked in the passage, and the words in which two answers differ.

Text in, segments of text out; templates escape and draw them. The work grows with the length of the
texts and has a limit; what lies beyond it is said on the page.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice, pairwise
from operator import itemgetter

from tasks.rating.shown.words import Part, Phrases, parts, words
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
_REACH = 40  # characters that an excerpt may be longer to end at a space; so many parts are tried

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
    read = _searched(context)
    visible = [part for part in read if part[0]]
    found = [
        [(*span, mark) for span in islice(_places(_phrases(answers), visible), MAX_MARKS + 1)]
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
    return Passage(whole, tuple(_excerpt(context, spans, *_window(read, spans))), *limits)


def answer_marker(
    references: Sequence[str], candidate: str
) -> Callable[[str], tuple[Segment, ...]]:
    """A function that marks the answers in one run of text after the other."""
    phrases_of = {
        REFERENCE: _phrases(shown_references(references)),
        CANDIDATE: _phrases([candidate]),
    }

    def marked(text: str) -> tuple[Segment, ...]:
        read = words(text)
        spans = [
            (*span, mark) for mark, phrases in phrases_of.items() for span in _places(phrases, read)
        ]
        return tuple(_segments(text, spans, 0, len(text)))

    return marked


def compare_answers(references: Sequence[str], candidate: str) -> ComparedAnswers:
    """Mark the words that the candidate and the closest reference have alone.

    Two answers without a word in common are left unmarked: everything would be.
    """
    plain, answer = unmarked_answers(references, candidate), _bag(candidate)
    if not references:
        return plain
    shown = shown_references(references)
    closest = max(shown, key=lambda each: bag_overlap(answer, _bag(each)).f1)
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


def _searched(context: str) -> list[Part]:
    """The parts in which answers are marked, without one that the limit may have cut."""
    read = parts(context[:MAX_SEARCHED])
    return read[:-1] or read if len(context) > MAX_SEARCHED else read


def _bag(answer: str) -> list[str]:
    """The tokens of F1, found in scripts without spaces too."""
    return tokens(" ".join(key for key, _, _ in words(answer)))


def _phrases(answers: Iterable[str]) -> Phrases:
    return Phrases([key for key, _, _ in words(answer)] for answer in answers)


def _places(phrases: Phrases, read: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """The spans of the phrases in these words, in order and apart from each other."""
    places: list[tuple[int, int]] = []
    # from the last one on: a phrase may cover many that end before it
    for first, after in reversed(list(phrases.spans_in(key for key, _, _ in read))):
        start, end = read[first][1], read[after - 1][2]
        if places and end > places[-1][0]:
            places[-1] = (min(start, places[-1][0]), places[-1][1])
        else:
            places.append((start, end))
    return reversed(places)


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


def _window(read: Sequence[Part], spans: Sequence[Span]) -> tuple[int, int]:
    """The part to show of a long context: around its marks, cut between words."""
    first = min((start for start, _end, _mark in spans), default=0)
    last = max((end for _start, end, _mark in spans if end - first <= _LONG), default=first)
    return _begin(read, first - _MARGIN), _end(read, last + _MARGIN)


def _begin(read: Sequence[Part], wanted: int) -> int:
    """The beginning of a word that is there or before, best after a space."""
    after = bisect_right(read, wanted, key=itemgetter(1))
    near = pairwise(read[max(after - _REACH, 0) : after])
    cuts = (
        (start if before else start + _REACH, start)
        for (before, *_), (key, start, _) in near
        if key[:1].isalnum()
    )
    return max(cuts, default=read[max(after - 1, 0)])[1]


def _end(read: Sequence[Part], wanted: int) -> int:
    """The end of a word that is there or after, best before a space."""
    at = bisect_left(read, wanted, key=itemgetter(2))
    near = pairwise(read[at : at + _REACH])
    cuts = ((end if after else end - _REACH, end) for (key, _, end), (after, *_) in near if key)
    return min(cuts, default=read[-1][1:])[1]


def _excerpt(context: str, spans: Sequence[Span], start: int, end: int) -> Iterable[Segment]:
    if start:
        yield Segment("… ")
    yield from _segments(context, spans, start, end)
    if end < len(context):
        yield Segment(" …")


def _difference(first: str, second: str) -> tuple[tuple[Segment, ...], tuple[Segment, ...]] | None:
    """Both texts in shared and own words; None if finding these would take too long."""
    ours, theirs = parts(first), parts(second)
    left, right = ([key for key, _, _ in read] for read in (ours, theirs))
    in_left, in_right = Counter(filter(None, left)), Counter(filter(None, right))
    equal_pairs = sum(number * in_right[word] for word, number in in_left.items())
    if not equal_pairs:
        return (Segment(first),), (Segment(second),)
    if equal_pairs > MAX_EQUAL_PAIRS or max(len(left), len(right)) > MAX_COMPARED:
        return None
    matcher = SequenceMatcher(lambda key: not key, left, right, autojunk=False)
    same = matcher.get_matching_blocks()
    return (
        tuple(_own_words(first, ours, [(block.a, block.size) for block in same])),
        tuple(_own_words(second, theirs, [(block.b, block.size) for block in same])),
    )


def _own_words(
    text: str, read: Sequence[Part], shared: Sequence[tuple[int, int]]
) -> Iterable[Segment]:
    """The text in runs of shared (plain) and own ("own") words."""
    place = 0
    for begins, size in shared:
        for run, mark in ((read[place:begins], "own"), (read[begins : begins + size], "")):
            if run:
                has_words = any(key for key, _, _ in run)
                yield Segment(text[run[0][1] : run[-1][2]], mark if has_words else "")
        place = begins + size
