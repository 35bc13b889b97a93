"""Words of a comment that could identify somebody: addresses, numbers, names of people known here.

E-mail addresses are found as people type them, those spelled out included. A run of digits of some
shape may be a telephone number; the numbering plans of all countries decide, as they are in
`phonenumbers` (Google's libphonenumber).
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args

import numpy as np
import phonenumbers
from phonenumbers import PhoneNumber, is_valid_number

from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.ratings import Ratings
from tomahto.votes.remarks import PRIVATE

PersonalKind = Literal["e-mail address", "telephone number", "name"]
PERSONAL_KINDS: tuple[PersonalKind, ...] = get_args(PersonalKind)

MIN_NAME = 3  # characters of a name that is looked for by itself
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_WORD = re.compile(r"[^\W_]+")
_SHOWN = 5  # findings that a message names


@dataclass(frozen=True, slots=True)
class Finding:
    """A comment that may hold personal data: where it stands and of what kind, never the text."""

    item_id: str
    rater: str  # pseudonym
    kinds: tuple[PersonalKind, ...]

    def as_json(self) -> dict[str, object]:
        return {"item": self.item_id, "rater": self.rater, "kinds": list(self.kinds)}


class PersonalDataError(ReleaseError):
    """Comments that may hold personal data, which nobody has confirmed."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self.findings = tuple(findings)
        count = "1 comment" if len(findings) == 1 else f"{len(findings)} comments"
        super().__init__(
            f"{count} may hold personal data: {_findings_text(findings)}; leave comments out, or"
            " explain why they may be released"
        )


class KnownNames:
    """Names to look for as whole words, whatever their case and what stands between the words.

    A name of several words is found where they follow each other: `anna.berg` also as Anna Berg.
    Names without a letter, and those shorter than MIN_NAME, are not looked for: they would be
    found in every other sentence.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self._by_first: dict[str, set[tuple[str, ...]]] = {}
        for name in names:
            words = _words(name)
            if len("".join(words)) >= MIN_NAME and any(map(str.isalpha, "".join(words))):
                self._by_first.setdefault(words[0], set()).add(words)

    def is_in(self, text: str) -> bool:
        words = _words(text)
        return any(
            words[place : place + len(name)] == name
            for place, word in enumerate(words)
            for name in self._by_first.get(word, ())
        )


NOBODY = KnownNames(())


def personal_kinds(text: str, names: KnownNames) -> tuple[PersonalKind, ...]:
    """The kinds of personal data that the text seems to hold, in the order of PERSONAL_KINDS.

    Letters and digits are first brought to their usual form (Unicode NFKC) and what cannot be seen
    is taken out. Raises nothing; the time it takes grows with the length of the text alone.
    """
    plain = _plain(text)
    found: Mapping[PersonalKind, bool] = {
        "e-mail address": has_email_address(plain),
        "telephone number": has_telephone_number(plain),
        "name": names.is_in(plain),
    }
    return tuple(kind for kind in PERSONAL_KINDS if found[kind])


def personal_data_in(ratings: Ratings, names: KnownNames) -> tuple[Finding, ...]:
    """The ratings whose private remarks may hold personal data, by item and rater.

    Each different text is looked at once.
    """
    found: dict[tuple[int, int], set[PersonalKind]] = defaultdict(set)
    for remark in PRIVATE:
        for row, kinds in _personal_rows(ratings, remark.name, names):
            found[row["item"], row["rater"]].update(kinds)
    return tuple(
        Finding(
            ratings.item_ids[item],
            ratings.raters[rater],
            tuple(kind for kind in PERSONAL_KINDS if kind in kinds),
        )
        for (item, rater), kinds in sorted(found.items())
    )


def _personal_rows(
    ratings: Ratings, remark: str, names: KnownNames
) -> Iterator[tuple[np.void, tuple[PersonalKind, ...]]]:
    kinds = [personal_kinds(text, names) for text in ratings.remarks[remark]]
    is_personal = np.array([bool(each) for each in kinds])
    for row in ratings.rows[is_personal[ratings.rows[remark]]]:
        yield row, kinds[row[remark]]


def _findings_text(found: Sequence[Finding]) -> str:
    shown = "; ".join(
        f"item {each.item_id!r}, rater {each.rater!r}: {' and '.join(each.kinds)}"
        for each in found[:_SHOWN]
    )
    return f"{shown} and {len(found) - _SHOWN} more" if len(found) > _SHOWN else shown


def _plain(text: str) -> str:
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_plain(text).casefold()))


# What can stand between the name and the host: the sign, a word in brackets, or the plain word.
_AT = re.compile(r"\s{0,2}@\s{0,2}|\s{0,2}[(\[{<]\s{0,2}at\s{0,2}[)\]}>]\s{0,2}|\sat\s", re.I)
_DOT = r"(?:\s{0,2}[(\[{<]\s{0,2}dot\s{0,2}[)\]}>]\s{0,2}|\sdot\s)"
_LABEL = r"[^\W_](?:[\w-]{0,61}[^\W_])?"
_LOCAL_WINDOW = 80  # characters before the sign that can belong to the name
_LOCAL = re.compile(r"[\w%+'-]\Z")
_TIGHT_HOST = re.compile(rf"(?:{_LABEL}\.){{1,8}}([^\W\d_]{{2,24}}|xn--[a-z0-9-]{{2,59}})\b", re.I)
_SPELLED_HOST = re.compile(
    rf"(?:{_LABEL}(?:\s{{0,2}}\.\s{{0,2}}|{_DOT})){{1,8}}([a-z]{{2,24}})\b", re.I
)
_WORDED_HOST = re.compile(rf"({_LABEL})(?:{_DOT}{_LABEL}){{0,7}}{_DOT}([a-z]{{2,24}})\b", re.I)
_TYPED_DOMAIN = re.compile(
    r"ac|ai|app|at|au|be|biz|ca|ch|cn|com|cz|de|dev|dk|edu|es|eu|fi|fr|gov|gr|hu|ie|info|int|io|it"
    r"|jp|kr|mil|name|net|nl|no|nz|org|pl|pt|ru|se|tr|ua|uk|us|za",
    re.I,
)
_NO_HOST = re.compile(r"the|an?|this|that|each|every|one|last|first", re.I)


def has_email_address(text: str) -> bool:
    """Whether the text holds an e-mail address (RFC 5321 in the forms that people type).

    Found are name@host.org, also with blanks around the sign, and spelled out: name [at] host
    [dot] org and name at host dot org. A host that is not written in one piece must end in one of
    the common domains, so that sentences with "at" and "dot" in them are none. Time grows with
    the length of the text alone.
    """
    return any(_is_address(text, sign) for sign in _AT.finditer(text))


def _is_address(text: str, sign: re.Match[str]) -> bool:
    start, end = sign.span()
    before = text[max(0, start - _LOCAL_WINDOW) : start]
    if not _LOCAL.search(before):
        return False
    is_word, is_tight = sign[0].strip().lower() == "at", sign[0] == "@"
    if is_word:
        host = _WORDED_HOST.match(text, end)
        return bool(host and _TYPED_DOMAIN.fullmatch(host[2]) and not _NO_HOST.fullmatch(host[1]))
    if is_tight and _TIGHT_HOST.match(text, end):
        return True
    host = _SPELLED_HOST.match(text, end)
    return bool(host and _TYPED_DOMAIN.fullmatch(host[1]))


# Digits in groups; what people put between them is one of these signs, or two.
_RUN = re.compile(r"(?<![\w.,:])(\+|\+?\(\+?)?\d(?:[ \u00a0./()-]{0,3}\d){5,24}(?![\w:%]|[.,]\d)")
_WORDS = (
    r"tel(?:e(?:ph|f)on(?:e|nummer)?)?|phone|mobile|mobil|cell|fax|handy|hotline|whatsapp|call|"
    r"ring|text|sms|anruf(?:en)?|reach"
)
_ANNOUNCED = re.compile(
    rf"(?:\b(?:{_WORDS})\b|[\u260e\u2706\U0001f4de\U0001f4f1])\W{{0,3}}(?:\w{{2,9}}\W{{1,3}}){{0,2}}\Z",
    re.I,
)
_BEFORE = 40  # characters before a number that can announce it
_LONGEST = 15  # digits with the country's (ITU-T E.164)
_NORTH_AMERICAN = re.compile(r"(?:1[ .-])?(?:\([2-9]\d\d\) ?|[2-9]\d\d[ .-])[2-9]\d\d[ .-]\d{4}")
_GROUP = re.compile(r"\d+")
# 01.02.2003 would be a number in Gabon, 016-68-9628 (a social security number) one in Japan
_OTHER = re.compile(r"\d\d([ ./-])\d\d\1(?:1\d|20)\d\d(?!\d)|\d{3}-\d\d-\d{4}(?!\d)")


def has_telephone_number(text: str) -> bool:
    """Whether the text holds a telephone number.

    - International: a plus sign or 00, then a number of the country whose code follows, in any
      groups.
    - National: (202) 555-0143, 202-555-0143; and 9 to 12 digits from 0 on that are a number of some
      country, with the area code set apart as it is there: 030/1234567, 020 7946 0958,
      01 23 45 67 89.
    - Any 7 to 15 digits that a word announces: tel., phone, call, fax and the like.

    Years, dates, times, decimal fractions, amounts with separators of thousands, ISBNs, ISSNs and
    plain long numbers are none of these. Digits of every script count. Time grows with the length
    of the text alone.
    """
    return any(
        _is_number(run) or (_ANNOUNCED.search(before) and 7 <= len(_digits(run)) <= _LONGEST)
        for run, before in _runs(text)
    )


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """A possible number, in ASCII digits, and the text before it."""
    for found in _RUN.finditer(text):
        start = found.start()
        run = "".join(map(_ascii, found[0]))
        yield run, text[max(0, start - _BEFORE) : start]


def _ascii(sign: str) -> str:
    if sign == "\u00a0":
        return " "
    return str(unicodedata.decimal(sign)) if sign.isdecimal() else sign


def _digits(run: str) -> str:
    return "".join(filter(str.isdecimal, run))


@lru_cache(maxsize=10_000)
def _is_number(run: str) -> bool:
    digits = _digits(run.replace("(0)", ""))
    if "+" in run[:3]:
        return _is_international(digits)
    if run.startswith("00") and len(digits) > 10:
        return _is_international(digits[2:])
    if _NORTH_AMERICAN.fullmatch(run):
        return _is_international(f"1{digits[-10:]}")
    area, *rest = _GROUP.findall(run)
    if not rest or not re.match("0[1-9]", area) or not 9 <= len(digits) <= 12 or _OTHER.match(run):
        return False
    codes = _codes_with_0().get(len(digits) - 1, ())
    numbers = (PhoneNumber(code, int(digits)) for code in codes)
    return any(is_valid_number(number) and area == _area_code(number) for number in numbers)


def _is_international(digits: str) -> bool:
    try:
        return is_valid_number(phonenumbers.parse(f"+{digits}"))
    except phonenumbers.NumberParseException:
        return False


@cache
def _codes_with_0() -> Mapping[int, Sequence[int]]:
    """The country codes whose numbers begin with 0 at home, by the digits that may follow it."""
    codes = defaultdict(list)
    for code, regions in phonenumbers.COUNTRY_CODE_TO_REGION_CODE.items():
        plan = phonenumbers.PhoneMetadata.metadata_for_region(regions[0])
        if plan and plan.general_desc and plan.national_prefix == "0":
            for length in plan.general_desc.possible_length:
                codes[length].append(code)
    return codes


def _area_code(number: PhoneNumber) -> str:
    """The prefix of the number where it is written in its country."""
    written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
    return str(_GROUP.findall(written)[0])
