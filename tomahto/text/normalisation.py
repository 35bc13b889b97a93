"""One form of texts that say the same: names, answers to be scored, exact answers.

The normal form, exact match and token overlap are those of the evaluation scripts of SQuAD v1.1
(Rajpurkar et al. 2016, §6.1) and v2.0 (Rajpurkar et al. 2018); where the two differ, on answers
without tokens, v2.0 is followed. Typographic quotes and dashes are no ASCII punctuation and stay,
as they do there.

That form deletes all ASCII punctuation and every article, which is too coarse to decide that an
answer is right, so that nobody need look at it: `-5` and `5`, `C++` and
`C#`, or `the` and the grade `A` have one normal form. The strict rule deletes less. Where it errs,
it asks a person for a judgement that would not have been needed.
"""

import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

NEVER_SEEN: Final = dict.fromkeys(
    [
        *(*range(0x01, 0x09), *range(0x0E, 0x1C), *range(0x7F, 0x85), *range(0x86, 0xA0)),
        *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x200B, 0x200E, 0x200F, 0x2800),
        *(0x3164, 0xFEFF, 0xFFA0, *range(0x180B, 0x1810), *range(0x202A, 0x202F)),
        *(*range(0x2060, 0x2070), *range(0xFE00, 0xFE10), *range(0xFFF0, 0xFFFC)),
        *(*range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
    ]
)
"""Marks of direction, fillers, selectors and the like, as Unicode lets displays ignore them, and
controls that are no blanks. NUL is for readers to refuse."""


def plain_name(name: str) -> str:
    """The name in Unicode's composed form (NFC), without blanks around it and signs never seen.

    `ann`, `ann ` with a no-break space, and `ann` with a byte order mark are one name. Any blank
    inside becomes a space. Joiners between letters, which some scripts need, stay. The result is
    empty if nothing can be seen of the name.
    """
    if name.isascii() and name.isprintable():
        return name.strip()
    seen = unicodedata.normalize("NFC", name.translate(NEVER_SEEN))
    spaced = "".join(" " if character.isspace() else character for character in seen)
    return spaced.strip(" \u200c\u200d")


def joined_names(names: Iterable[str]) -> str:
    return "+".join(re.sub(r"([+\\])", r"\\\1", name) for name in names)


def parted_names(text: str) -> list[str]:
    """The names that `joined_names` joined, none of them empty."""
    parts = re.findall(r"(?:[^+\\]|\\.|\\$)+", text, re.DOTALL)
    return [re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL) for part in parts]


_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)
_PUNCTUATION = string.punctuation.encode()
_LOWER_CASE = bytes(range(128)).lower() + bytes(range(128, 256))
_ARTICLES = frozenset({"a", "an", "the"})
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


class Overlap(NamedTuple):
    """The shares of tokens that a candidate and a reference have in common, from 0 to 1.

    `precision` is the share of the candidate's tokens, `recall` the share of the reference's
    tokens, `f1` their harmonic mean.
    """

    f1: float
    precision: float
    recall: float


_ALL = Overlap(1.0, 1.0, 1.0)
_NOTHING = Overlap(0.0, 0.0, 0.0)


def tokens(text: str) -> list[str]:
    """The text's words in lower case, without ASCII punctuation and without a, an and the.

    Punctuation is deleted before articles are looked for, so `a.m.` becomes `am` and stays.
    """
    if text.isascii() and text.isprintable():
        words = text.encode().translate(_LOWER_CASE, _PUNCTUATION).decode().split()
        # Letters, digits and spaces only: every article stands between spaces.
        return words if _ARTICLES.isdisjoint(words) else [w for w in words if w not in _ARTICLES]
    return _ARTICLE.sub(" ", text.lower().translate(_WITHOUT_PUNCTUATION)).split()


def normalise(text: str) -> str:
    """The tokens of the text, joined by single spaces."""
    return " ".join(tokens(text))


def exact_match(candidate: str, references: Sequence[str]) -> bool:
    """Whether the candidate's normal form equals that of any reference."""
    answer = tokens(candidate)
    return any(answer == tokens(reference) for reference in references)


def token_overlap(candidate: str, reference: str) -> Overlap:
    """Overlap of the two bags of tokens.

    If either has no tokens, all values are 1 when both have none and 0 otherwise.
    """
    return bag_overlap(tokens(candidate), tokens(reference))


def best_overlap(candidate: str, references: Sequence[str]) -> Overlap:
    """The overlap with the reference of highest F1; of equal ones the first.

    Raises ValueError if there are no references.
    """
    if not references:
        raise ValueError("an overlap needs at least one reference")
    answer = tokens(candidate)
    return max(
        (bag_overlap(answer, tokens(reference)) for reference in references),
        key=lambda overlap: overlap.f1,
    )


def bag_overlap(candidate: list[str], reference: list[str]) -> Overlap:
    """As `token_overlap`, of answers whose tokens are at hand."""
    if not candidate or not reference:
        return _ALL if candidate == reference else _NOTHING
    shared = _shared_tokens(candidate, reference)
    if shared == 0:
        return _NOTHING
    precision = shared / len(candidate)
    recall = shared / len(reference)
    # The order of operations is the official script's, so that sums agree to the last digit.
    return Overlap((2 * precision * recall) / (precision + recall), precision, recall)


def _shared_tokens(candidate: list[str], reference: list[str]) -> int:
    kinds = set(candidate)
    shared = kinds.intersection(reference)
    if not shared or len(kinds) == len(candidate):
        # Each token occurs once in the candidate, so it is shared at most once.
        return len(shared)
    in_candidate, in_reference = Counter(candidate), Counter(reference)
    return sum(min(in_candidate[token], in_reference[token]) for token in shared)


_QUOTES: Final = "\"'`´‘’‚‛“”„‟«»‹›「」『』〝〞〟"
_FINAL: Final = ".,;:!?…·‥。、，．；：！？؟،؛۔।॥։።፣፤፥፧།၊။។៕⁇⁈⁉‼"
_MEASURES: Final = "'\""  # feet, inches, derivatives
_NAMED_BY_A_LETTER: Final = frozenset(  # grades, keys and blood groups
    {"flat", "sharp", "natural", "major", "minor", "plus", "minus", "positive", "negative"}
)
_ONE_SIGN: Final = str.maketrans(
    dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("´‘’‛ʼ", "'") | dict.fromkeys("“”„‟″", '"')
)
_UNSEEN: Final = {  # but for signs of products and sums, and what tells flags apart
    code: None
    for code in NEVER_SEEN
    if not (0x2061 <= code <= 0x2064 or 0xE0020 <= code <= 0xE007F)
}
_WIDTHS: Final = ("<wide>", "<narrow>")


class ExactRule(StrEnum):
    """When an answer is exact: settled as right without a rating.

    STRICT: equal but for case, quotation marks, punctuation at the end of words, a leading article,
    and `the` before other words. SQUAD: equal in the normal form of the SQuAD evaluation, as Bulian
    et al. 2022 (§3.2) settled answers.
    """

    STRICT = "strict"
    SQUAD = "squad"


def is_empty(answer: str) -> bool:
    """Whether nothing of the answer can be seen. An empty answer is never exact."""
    return not plain_name(answer)


def is_exact(answer: str, references: Iterable[str], rule: ExactRule) -> bool:
    """Whether the answer says the same as any of the references, by the rule."""
    if is_empty(answer):
        return False
    if rule == ExactRule.SQUAD:
        return exact_match(answer, list(references))
    forms = _strict_forms(answer)
    return any(not forms.isdisjoint(_strict_forms(reference)) for reference in references)


def _strict_forms(text: str) -> set[tuple[str, ...]]:
    """The text's words, and its words but for those that can only be articles.

    By the first, `Once Upon A Time` equals `once upon a time`; by the second, `the Nile` equals
    `Nile`, while `vitamin A deficiency` is not `vitamin deficiency`. Of a text without letters and
    digits every sign counts.
    """
    written = _words(text)
    if not any(map(str.isalnum, "".join(written))):
        return {tuple(written)}
    has_quotes = any(word[0] in _QUOTES for word in written)
    words = [_plain(word, is_quoted=has_quotes) for word in written]
    articles = {place for place in range(len(words)) if _is_article(place, written, words)}
    others = [word for place, word in enumerate(words) if place not in articles]
    return {tuple(words), tuple(others)}


def _words(text: str) -> list[str]:
    seen = unicodedata.normalize("NFC", text).translate(_UNSEEN)
    usual = "".join(map(_of_usual_width, seen)).translate(_ONE_SIGN)
    words = list(filter(None, (word.strip("\u200c") for word in usual.split())))
    return _joined(words)


def _joined(words: list[str]) -> list[str]:
    """The words, with signs that stand apart at the end, and quotation marks at the start, joined
    to the word that they belong to."""
    end = len(words)
    while end > 1 and not words[end - 1].strip(_QUOTES + _FINAL):
        end -= 1
    words = [*words[: end - 1], "".join(words[end - 1 :])]
    is_apart = len(words) > 1 and not words[0].strip(_QUOTES)
    return ["".join(words[:2]), *words[2:]] if is_apart else words


def _of_usual_width(character: str) -> str:
    is_other = unicodedata.decomposition(character).startswith(_WIDTHS)
    return unicodedata.normalize("NFKC", character) if is_other else character


def _plain(word: str, *, is_quoted: bool) -> str:
    """The word in lower case and without what stands around it, unless it is nothing else."""
    started = word.lstrip(_QUOTES)
    core = started.rstrip(_QUOTES + _FINAL)
    signs = started[len(core) :]
    kept = "" if is_quoted or _is_of_letters(core) else _MEASURES
    if not _is_of_letters(core.replace("'", "")):
        kept += "!"  # of a factorial
    if core[-1:].isnumeric() and ("…" in signs or ".." in signs):
        core += "…"  # digits go on
    core += "".join(sign for sign in signs if sign in kept)
    return unicodedata.normalize("NFC", (core or word).casefold())


def _names_a_letter(following: str) -> bool:
    is_letter = len(following) == 1 and following.isalpha()
    return is_letter or following in _NAMED_BY_A_LETTER


def _is_of_letters(word: str) -> bool:
    return len(word) > 1 and all(
        character.isalpha() or character in "-." or unicodedata.category(character)[0] == "M"
        for character in word
    )


def _is_article(place: int, written: list[str], words: list[str]) -> bool:
    """Whether the word can only be an article: it stands before another word, with nothing between,
    and is no `a` inside a text, in quotation marks or before what a letter is named with."""
    word, following = words[place], "".join(words[place + 1 : place + 2])
    return (
        word in _ARTICLES
        and written[place].lstrip(_QUOTES).casefold() == word
        and any(character.isalnum() for character in following)
        and following not in {*_ARTICLES, "and", "or"}
        and (word == "the" or (place == 0 and not _names_a_letter(following)))
    )
