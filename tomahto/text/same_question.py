"""Whether two texts ask the same question, so that it is not both learned from and judged on.

Scoring has its normal form (tomahto.text.normalisation), whose ASCII rules part `Qui l’a dit ?`
from `Qui l'a dit?` and see one word in a Chinese sentence. Here texts are compared as people read
them, in any script. Spellings are alike that differ in Unicode's composition or width (NFKC), case,
what cannot be seen, quotation marks, dashes, blanks and other punctuation, vowel points, letters
and signs that are typed for each other, and the articles a, an and the, as in scoring. Signs that
carry sense stay: `7+5` is not `7-5`, `3.14` is not `314`, `x²` is not `x2`, and `C++` is not `C#`.

Near-duplicates are the same give or take a word: token Jaccard of at least 0.9 (CAP App. B.5.1).
All pairs are found without looking at all pairs, and none is missed: prefix filtering (Chaudhuri
et al. 2006; Bayardo et al. 2007). Two sets that are near share so many tokens that they share one
among the few rarest of each; only sets that do are compared.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final

_ARTICLES: Final = frozenset({"a", "an", "the"})
_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u0640")  # joiner, Hangul fillers, Arabic's stretch
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")  # of a sign's look
_VOWEL_POINTS: Final = range(10, 37)  # combining classes of Hebrew, Arabic and Syriac

_SIGNS: Final = frozenset("%‰‱٪#§^")  # beside all of Unicode's symbols but these:
_NO_SIGNS: Final = frozenset("©®−~\ufffd")
_APOSTROPHES: Final = frozenset("ʹʻʼʽˈ")  # letters to Unicode
_PARTING: Final = frozenset(",;:!?()[]{}~@\\‒–—―⸺⸻")  # other ASCII, as in U.S., and hyphens join
_JOINED: Final = frozenset("׳״′")  # Hebrew marks in words, and primes, as apostrophes and quotes
_JOINING: Final = frozenset({"Pc", "Pd", "Pf", "Pi", "Sk"})

# Typed for each other: letters (ı has I as its capital), and signs for those of keyboards
_TWINS: Final = str.maketrans("ışţىیک‐‑־∕⁄∶⋅∙∗∼〜∣", "ișțييك---//:··*~~|")
# Once written with a virama and a joiner: Malayalam's chillus, Bengali's khanda ta, Marathi's ra
_LETTERS: Final = dict(zip("ണനരലളകമയഴতर", [*"ൺൻർൽൾൿൔൕൖৎ", "ऱ्"], strict=True))
_VIRAMA_JOINER: Final = re.compile(f"([{''.join(_LETTERS)}])[്্्]\u200d")

# Of scripts that write no spaces between words: Thai and Lao, Myanmar, Khmer, whose letters carry
# marks; Han, Kana, Bopomofo and Yi
_MARKED: Final = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f"
_UNMARKED: Final = "\u2e80-\ua4cf\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS: Final = "".join(
    character
    for first, last in re.findall("(.)-(.)", _MARKED)
    for character in map(chr, range(ord(first), ord(last) + 1))
    if unicodedata.category(character)[0] == "M"
)
_MARKED_LETTER: Final = re.compile(f"[{_MARKED}][{_MARKS}]*")
_UNMARKED_LETTER: Final = re.compile(f"[{_UNMARKED}]")
_TONE_AFTER_AA: Final = re.compile("([\u0e32\u0eb2])([\u0e48-\u0e4b\u0ec8-\u0ecb])")

_RAISED: Final = "¹²³\u2070-\u207fˣʸ"
_POWER: Final = re.compile(  # no charge, as of Ca²⁺, and no ordinal, as 2ⁿᵈ
    rf"(?<=\d)(?=[¼-¾⅐-⅞])|(?:(?<=[^\W{_RAISED}])|(?<=[)\]}}|\u0300-\u036f]))"
    rf"([{_RAISED}]++)(?<![⁺⁻])(?![ᴬ-ᵪ])"
)
# Units are typed km2 as well
_OF_UNIT: Final = re.compile(r"(?<![a-z])([cdkmnμ]?m|ft|in|mi|yd|s)\^(?=[23](?![a-z\d]))")
_STRAY_MARKS: Final = re.compile("[ ][\u0300-\u036f]+")  # NFKC makes them of ´ and ¨
_SPACED: Final = re.compile(
    rf"(?<=[^\s{_MARKED}{_UNMARKED}])\s+([&/*])\s+(?=[^\s{_MARKED}{_UNMARKED}])"
)
_TYPED_DASH: Final = re.compile(r"(?<=[^\W\d])--+|--+(?!\.?\d)")
_DIGIT: Final = re.compile(r"\d")
_THOUSANDS: Final = re.compile(r"(?<=\d)[,٬](?=\d{3}(?!\d))")
_DASHES: Final = "‒–—―−-"
_BESIDE_DIGITS: Final = re.compile(
    rf"(?<=\d)(?:\s*[*/{_DASHES}]\s*|(?<!\d{{4}})\s+:\s+|[^\w\s]|_)(?=[.٫{_DASHES}]?\d)"
    rf"|(?<![.٫])(?<![^\W{_UNMARKED}])[.٫{_DASHES}](?=[.٫]?\d)"
)
_OF_NUMBERS: Final = str.maketrans(  # to signs that NFKC leaves none of
    {**dict.fromkeys(_DASHES, "－"), "/": "／", ".": "．", "٫": "．", ":": "：", "*": "＊"}
)
_IN_NUMBERS: Final = frozenset(_OF_NUMBERS.values())


def question_form(text: str) -> str:
    """The words of the question, joined by single spaces; equal where the question is the same.

    Characters of scripts that write no spaces between words, and signs, are words of their own.
    """
    return " ".join(_words(text))


def question_key(name: str) -> str:
    """A name for a question that is given by its text or by an identifier.

    ASCII without a blank is taken for an identifier and stays as it is.
    """
    return name if name.isascii() and " " not in name else question_form(name)


def first_spellings(questions: Iterable[str]) -> list[str]:
    """Each of the questions in the words of the first that is the same."""
    known: dict[str, str] = {}
    return [known.setdefault(question_form(question), question) for question in questions]


def question_tokens(text: str) -> frozenset[str]:
    """The tokens of which near-duplicates share most (tomahto.text.same_question): the question's
    words, as a set, and the characters of scripts that write no spaces between words, as a bag: the
    second occurrence of a character is another token.

    A character here is a letter with the marks on it. One of 33 characters changed leaves 32 of 34
    in common (0.94); of pairs of neighbours it would leave 30 of 34 (0.88), too few for a Jaccard
    similarity of 0.9. One character may be another among 19, as one word may among 19 words; for a
    word of two characters it takes 38. Like sets of words, bags of characters have no order.
    """
    words = _words(text)
    found = set(words)
    if len(found) < len(words):
        for word, count in Counter(words).items():
            if count > 1 and _stands_alone(word):
                found.update(f"{word}{place}" for place in range(2, count + 1))
    return frozenset(found)


class _Reading(dict[int, str]):
    """A reading of each character for `str.translate`, worked out when it is first met."""

    def __init__(self, of: Callable[[str], str]) -> None:
        self._of = of

    def __missing__(self, code: int) -> str:
        self[code] = self._of(chr(code))
        return self[code]


def _seen(character: str) -> str:
    kind = unicodedata.category(character)
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    is_hidden = (
        kind == "Cf"
        or unicodedata.combining(character) in _VOWEL_POINTS
        or character in _UNSEEN
        or _SELECTORS.match(character)
    )
    return "" if is_hidden else character.translate(_TWINS)


def _read(character: str) -> str:
    kind = unicodedata.category(character)
    if character in _IN_NUMBERS:
        return character
    if character in _SIGNS or (kind in {"Sm", "Sc", "So"} and character not in _NO_SIGNS):
        return f" {character} "
    if kind[0] in "LMNC" and kind != "Cc":
        if _UNMARKED_LETTER.match(character):
            return f" {character} "
        return "" if character in _APOSTROPHES else character
    is_joining = kind in _JOINING or character in _JOINED or character.isascii()
    is_joining = is_joining and character.isprintable() and character not in _PARTING
    return "" if is_joining and character != " " else " "


_SEEN: Final = _Reading(_seen)
_READ: Final = _Reading(_read)


def _words(text: str) -> list[str]:
    if not text.isascii():
        text = _composed(text)
    text = text.casefold().replace("..", " ")
    if "--" in text:
        text = _TYPED_DASH.sub(" ", text)
    if "&" in text or "/" in text or "*" in text:
        text = _SPACED.sub(r"\1", text)
    if _DIGIT.search(text):
        text = _OF_UNIT.sub(r"\1", text) if "^" in text else text
        text = _BESIDE_DIGITS.sub(_in_number, _THOUSANDS.sub("", text))
    words = text.translate(_READ).split()
    return words if _ARTICLES.isdisjoint(words) else [w for w in words if w not in _ARTICLES]


def _composed(text: str) -> str:
    """In one spelling of each character, those of scripts without spaces apart."""
    text = _POWER.sub(_unraised, unicodedata.normalize("NFC", text))
    text = unicodedata.normalize("NFKC", text).casefold()
    text = _VIRAMA_JOINER.sub(lambda found: _LETTERS[found[1]], text).translate(_SEEN)
    text = unicodedata.normalize("NFKC", text.replace("i\u0307", "i"))
    text = _TONE_AFTER_AA.sub(r"\2\1", _STRAY_MARKS.sub("", text))
    return _MARKED_LETTER.sub(_marks_in_order, text)


def _marks_in_order(found: re.Match[str]) -> str:
    """A word of one letter. Its marks are typed in any order, as the two of Thai's SARA AM."""
    return f" {found[0][0]}{''.join(sorted(found[0][1:]))} "


def _unraised(found: re.Match[str]) -> str:
    """A power or a fraction after a number, which NFKC would make digits of the number."""
    return f"^{found[1]}" if found[1] else " "


def _in_number(found: re.Match[str]) -> str:
    """A sign of the number, which then is one word; what is none parts two numbers."""
    sign = found[0].strip().translate(_OF_NUMBERS)
    return sign if sign in _IN_NUMBERS else f" {sign} "


def _stands_alone(word: str) -> bool:
    return _READ[ord(word[0])] != word[0] or _MARKED_LETTER.fullmatch(word) is not None


THRESHOLD: Final = 0.9
_ROUNDING: Final = 1e-9  # a bound that rounding moves may let in more, never less


def are_near(one: Set[str], other: Set[str], threshold: float = THRESHOLD) -> bool:
    """Whether the Jaccard similarity |A ∩ B| / |A ∪ B| is at least the threshold; two empty sets
    are alike."""
    shared = len(one & other)
    union = len(one) + len(other) - shared
    return shared >= threshold * union


def near_duplicate_groups(
    texts: Sequence[str],
    *,
    threshold: float = THRESHOLD,
    tokens_of: Callable[[str], Iterable[str]] = question_tokens,
) -> list[list[int]]:
    """Places of texts that are near-duplicates of each other, directly or by way of others.

    Texts are compared as sets of tokens. Each group has two members or more and is sorted, and so
    are the groups by their first members. `threshold` is above 0, at most 1.
    """
    places: dict[frozenset[str], list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(frozenset(tokens_of(text)), []).append(place)
    sets = list(places)
    members = [places[found] for found in sets]
    components = connected_components(len(sets), near_pairs(sets, threshold=threshold))
    groups = (sorted(p for number in numbers for p in members[number]) for numbers in components)
    return sorted(group for group in groups if len(group) > 1)


def near_pairs(
    sets: Sequence[Set[str]], *, threshold: float = THRESHOLD
) -> Iterator[tuple[int, int]]:
    """Every pair of places whose sets are near, each once, in no promised order."""
    frequency = Counter(token for found in sets for token in found)
    by_size = sorted(range(len(sets)), key=lambda place: len(sets[place]))
    seen: defaultdict[str, deque[int]] = defaultdict(deque)
    empty: list[int] = []
    for place in by_size:
        found = sets[place]
        prefix = _rarest(found, frequency, threshold)
        smallest = threshold * len(found) - _ROUNDING
        for others in (seen[token] for token in prefix):
            while others and len(sets[others[0]]) < smallest:  # as for all that come later
                others.popleft()
        known = {other for token in prefix for other in seen[token]} if found else set(empty)
        for other in known:
            if are_near(found, sets[other], threshold):
                yield other, place
        for token in prefix:
            seen[token].append(place)
        if not found:
            empty.append(place)


def _rarest(found: Iterable[str], frequency: Counter[str], threshold: float) -> list[str]:
    """The tokens of which at least one is shared with every set that is near.

    A near set of any size shares at least `threshold` of these tokens, so at most the rest can be
    missing; one more than the rest cannot all be missing.
    """
    ordered = sorted(found, key=lambda token: (frequency[token], token))
    shared = math.ceil(threshold * len(ordered) - _ROUNDING)
    return ordered[: len(ordered) - shared + 1]


def connected_components(size: int, edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The components of a graph whose nodes are 0 to `size` - 1, single nodes included.

    Each component is sorted, and the components are sorted by their first nodes. Union-find with
    path halving: almost linear in nodes and edges.
    """
    parents = list(range(size))
    for one, other in edges:
        first, second = sorted((_root(parents, one), _root(parents, other)))
        parents[second] = first
    components: dict[int, list[int]] = {}
    for node in range(size):
        components.setdefault(_root(parents, node), []).append(node)
    return list(components.values())


def _root(parents: list[int], node: int) -> int:
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return node
