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
from tomahto.text.plain_name import NEVER_SEEN, plain_name

_ARTICLES: Final = frozenset({"a", "an", "the"})
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
