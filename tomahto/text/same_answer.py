"""Which answers say what a reference says, so that nobody need look at them.

Scoring has its normal form (tomahto.text.normalisation), which deletes all ASCII punctuation and
every article. It is too coarse to decide that an answer is right unseen: `-5` and `5`, `C++` and
`C#`, or `the` and the grade `A` have one normal form. The strict rule deletes less. Where it errs,
it asks a person for a judgement that would not have been needed.
"""

import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from tomahto.text.normalisation import exact_match

_ARTICLES: Final = frozenset({"a", "an", "the"})
_QUOTES: Final = "\"'`´‘’‚‛“”„‟«»‹›「」『』〝〞〟"
_FINAL: Final = ".,;:!?…。、，．；：！？؟،؛।॥"
_MEASURES: Final = "'\""  # feet, inches, derivatives
_CLOSING: Final = ")]}°"
_ONE_SIGN: Final = str.maketrans(
    dict.fromkeys("‐‑‒–—―−", "-") | dict.fromkeys("´‘’‛ʼ", "'") | dict.fromkeys("“”„‟″", '"')
)
_UNSEEN: Final = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf"})
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
    return all(unicodedata.category(character) in _UNSEEN for character in answer)


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
    `Nile`, while `vitamin A deficiency` is not `vitamin deficiency`.
    """
    written = _words(text)
    has_quotes = any(word[0] in _QUOTES for word in written)
    words = [_plain(word, is_quoted=has_quotes) for word in written]
    articles = {place for place in range(len(words)) if _is_article(place, written, words)}
    others = [word for place, word in enumerate(words) if place not in articles]
    return {tuple(words), tuple(others)}


def _words(text: str) -> list[str]:
    seen = (character for character in text if unicodedata.category(character) != "Cf")
    return "".join(map(_of_usual_width, seen)).translate(_ONE_SIGN).split()


def _of_usual_width(character: str) -> str:
    is_other = unicodedata.decomposition(character).startswith(_WIDTHS)
    return unicodedata.normalize("NFKC", character) if is_other else character


def _plain(word: str, *, is_quoted: bool) -> str:
    """The word in lower case and without what stands around it, unless it is nothing else."""
    started = word.lstrip(_QUOTES)
    core = started.rstrip(_QUOTES + _FINAL)
    if core[-1:].isnumeric() or core[-1:] in _CLOSING or len(core) == 1:
        signs = "!" if is_quoted else f"!{_MEASURES}"  # of a factorial, and of a measure
        core += "".join(sign for sign in started[len(core) :] if sign in signs)
    return unicodedata.normalize("NFC", (core or word).casefold())


def _is_article(place: int, written: list[str], words: list[str]) -> bool:
    """Whether the word can only be an article: it stands before another word, with nothing between,
    and is no `a` inside a text or before a single letter."""
    word, following = words[place], "".join(words[place + 1 : place + 2])
    return (
        word in _ARTICLES
        and written[place].strip(_QUOTES).casefold() == word
        and any(character.isalnum() for character in following)
        and following not in {*_ARTICLES, "and", "or"}
        and (word == "the" or (place == 0 and not (len(following) == 1 and following.isalpha())))
    )
