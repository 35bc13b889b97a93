"""Signs that feather's words leave out: a minus, a decimal comma, the ends of C++, C# and A-.

The trees were fitted to words, in which `-5` is `5`. So what signs say of a pair goes beside them.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from tomahto.matching.feather.texts import MARKS, MAX_CHARACTERS
from tomahto.matching.feather.words import canonical_form
from tomahto.text.same_answer import ExactRule, is_exact

# several patterns, each of which begins with few characters, are faster than one of them all
_TRACES: Final = tuple(
    map(
        re.compile,
        (r"[-−](?:[\d.$€£¥]|(?!\w))", r"[+#]", r"\d,\d", r"\.\d", r"inus\b", r"egative\b"),
    )
)
_PARTS: Final = re.compile(r"[^\s()\[\]{}<>\"“”«»:;/\\|…]+")
_HANGING: Final = ".,!?'‘’"
_NUMBER: Final = re.compile(r"([-−]?)[$€£¥]?(\.?)(\d[\d.,]*)(\+?)")
_DECIMAL_COMMA: Final = re.compile(r"\d,(?!\d{3}(?!\d))\d")
_NAME: Final = re.compile(r"([^\W_]+)(\++|#+)|([^\W\d_]{1,2})([-−])")
_MINUS: Final = frozenset({"minus", "negative"})


def sign_verdict(candidate: str, reference: str) -> int:
    """Whether signs make the candidate right (1) or wrong (-1), or say nothing of it (0).

    It is wrong if both have a word and all signs at it differ. Where neither has a letter or a
    digit, signs are all there is.
    """
    if not any(map(str.isalnum, candidate)) and not any(map(str.isalnum, reference)):
        return 1 if is_exact(candidate, [reference], ExactRule.STRICT) else -1
    if not _has_traces(reference) and not _has_traces(candidate):
        return 0
    given, wanted = _signs(candidate), _signs(reference)
    differs = any(word in given and given[word].isdisjoint(wanted[word]) for word in wanted)
    return -1 if differs else 0


def _has_traces(text: str) -> bool:
    """Whether it can have signs: what most texts are seen not to have in no time."""
    return any(trace.search(text, 0, MAX_CHARACTERS) for trace in _TRACES)


def _signs(text: str) -> Mapping[str, set[str]]:
    """The signs at each word, in its canonical form; "" where it stands without one."""
    plain = MARKS.sub("", unicodedata.normalize("NFKD", text[:MAX_CHARACTERS]))
    signs: dict[str, set[str]] = defaultdict(set)
    before = ""
    for part in _PARTS.findall(plain):
        bare, sign = _parted(part.rstrip(_HANGING).lstrip("'‘’"))
        word = canonical_form(bare)
        is_negative = before.lower() in _MINUS and word[:1].isdigit()
        signs[word].add(f"-{sign}" if is_negative else sign)
        before = part
    return signs


def _parted(part: str) -> tuple[str, str]:
    """A word and the sign at it."""
    if number := _NUMBER.match(part):
        minus, point, digits, plus = number.groups()
        comma = "," if _DECIMAL_COMMA.search(digits) else ""
        return digits.rstrip(".,"), ("-" if minus else "") + point + comma + plus
    if name := _NAME.fullmatch(part):
        word, plus, short, minus = name.groups()
        return (word, plus) if word else (short, "-")
    return part, ""
