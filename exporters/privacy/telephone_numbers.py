"""Telephone numbers in a text that somebody typed, told from the other numbers there.

Its shape makes a run of digits a candidate; the numbering plans of all countries decide, as they
are in `phonenumbers` (Google's libphonenumber).
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

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
    """What could be a number, in ASCII digits, and what stands before it."""
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
    return any(_is_number_of_area(code, int(digits), area) for code in codes)


def _is_number_of_area(code: int, national: int, area: str) -> bool:
    from phonenumbers import PhoneNumber, is_valid_number

    number = PhoneNumber(code, national)
    return is_valid_number(number) and area == _area_code(number)


def _is_international(digits: str) -> bool:
    import phonenumbers  # here, as in all below: only who releases needs the plans

    try:
        return phonenumbers.is_valid_number(phonenumbers.parse(f"+{digits}"))
    except phonenumbers.NumberParseException:
        return False


@cache
def _codes_with_0() -> Mapping[int, Sequence[int]]:
    """The country codes whose numbers begin with 0 at home, by the digits that may follow it."""
    import phonenumbers

    codes = defaultdict(list)
    for code, regions in phonenumbers.COUNTRY_CODE_TO_REGION_CODE.items():
        plan = phonenumbers.PhoneMetadata.metadata_for_region(regions[0])
        if plan and plan.general_desc and plan.national_prefix == "0":
            for length in plan.general_desc.possible_length:
                codes[length].append(code)
    return codes


def _area_code(number: "PhoneNumber") -> str:
    """What stands first where the number is written in its country."""
    import phonenumbers

    written = phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)
    return str(_GROUP.findall(written)[0])
