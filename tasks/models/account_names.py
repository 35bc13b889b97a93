"""What names an account may be given, and which of them look alike (Unicode UTS 39).

Names that are there stay valid: this judges new ones. Data: the package confusable-homoglyphs,
made of Unicode's confusables.txt and Scripts.txt.
"""

import re
import unicodedata
from functools import cache

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

LONGEST_SHAPE = 450
"""Characters: three for each that a name may have, where single letters look like several."""
VISITOR = "visitor"
"""How the names of accounts begin that are made for visitors of crowd services."""

_MARK_OF_DIRECTION = "\u200e"
# letters by their category, and yet nothing to be seen: fillers of Hangul
_FILLERS = frozenset("\u115f\u1160\u3164\uffa0")
_INVISIBLE = ("C", "M", "Z")
_ALONE = frozenset({"COMMON", "INHERITED"})
# scripts that are written together (UTS 39, 5.2, "highly restrictive")
_WRITTEN_TOGETHER = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)


def require_good_name(name: str) -> None:
    """Raises ValidationError for a name that no new account gets, whoever there is already."""
    if any(_cannot_be_seen(letter) for letter in name):
        raise ValidationError(_("The name contains characters that cannot be seen."))
    if _mixes_scripts(name):
        raise ValidationError(_("The name mixes letters of different scripts."))
    if re.match(rf"{shape_of(VISITOR)}([^a-z]|$)", shape_of(name)):
        raise ValidationError(_("Names like this are of visitors of crowd services."))


def shape_of(name: str) -> str:
    """The same text for names that can be taken for one another: in upper and lower case, in
    letters of other scripts, in other forms of the same letters."""
    shape = _fold(_as_prototypes(_fold(name))).replace("i", "l")  # a capital i is an l to the eye
    return shape[:LONGEST_SHAPE]


def shapes_of(name: str) -> set[str]:
    """Its own shape, and that which it would have if each letter were what it looks like: capitals
    may look like others' capitals where small letters do not."""
    return {shape_of(name), shape_of(_as_prototypes(name))}


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _as_prototypes(text: str) -> str:
    return "".join(_prototypes().get(letter, letter) for letter in text)


def _cannot_be_seen(letter: str) -> bool:
    return letter in _FILLERS or unicodedata.category(letter).startswith(_INVISIBLE)


def _mixes_scripts(name: str) -> bool:
    from confusable_homoglyphs import categories

    found = set(categories.unique_aliases(name)) - _ALONE
    return len(found) > 1 and not any(found <= together for together in _WRITTEN_TOGETHER)


@cache
def _prototypes() -> dict[str, str]:
    """For each letter what stands for all that look like it: m is rn.

    The package lists what looks alike in both directions, with marks of direction around some.
    """
    from confusable_homoglyphs.confusables import confusables_data

    found: dict[str, str] = {}
    for key, entries in confusables_data.items():
        letter = key.replace(_MARK_OF_DIRECTION, "")
        alike = [entry["c"].replace(_MARK_OF_DIRECTION, "") for entry in entries]
        if len(letter) == 1:
            found[letter] = _prototype([letter, *alike])
    return {
        letter: _prototype([letter, found.get(first, first)]) for letter, first in found.items()
    }


def _prototype(alike: list[str]) -> str:
    """Several letters that one looks like; else a small letter of ASCII, or what comes nearest."""

    def far_from_it(each: str) -> tuple[bool, bool, bool, bool, str]:
        is_letter = each.isalpha()
        return len(each) == 1, not each.isascii(), not each.islower(), not is_letter, each

    return min(alike, key=far_from_it)
