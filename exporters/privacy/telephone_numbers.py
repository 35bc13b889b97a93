"""Telephone numbers in a text that somebody typed, told from the other numbers there."""

import re
import unicodedata
from collections.abc import Iterator

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
_NATIONAL = (
    re.compile(r"0[1-9](?P<sep>[ .-])\d\d(?:(?P=sep)\d\d){3}"),  # five pairs
    re.compile(r"0[1-9][ /-]{1,3}\d{8}"),
    re.compile(r"0[1-9][ /-]{1,3}\d{4}[ -]\d{4}"),
    re.compile(r"\(0[1-9]\d{0,4}\)[ /-]{0,3}\d{2,8}(?:[ /-]\d{2,5}){0,4}"),
    re.compile(r"0[1-9]\d{1,4}(?: ?/ ?| ?- ?| )\d{3,9}(?:[ /-]\d{2,5}){0,4}"),
)


def has_telephone_number(text: str) -> bool:
    """Whether the text holds a telephone number.

    - International: a plus sign or 00, then 8 to 15 digits in any groups (ITU-T E.164); after the
      country code 1 exactly ten, as North America has it.
    - National: (202) 555-0143, 202-555-0143; a 0 with an area code set apart, as in
      030/1234567, 020 7946 0958 or 01 23 45 67 89, of 9 to 12 digits.
    - Any 7 to 15 digits that a word announces: tel., phone, call, fax and the like.

    Years, dates, times, decimal fractions, amounts with separators of thousands, ISBNs and plain
    long numbers are none of these. Digits of every script count. Time grows with the length of the
    text alone.
    """
    return any(_is_number(run, before) for run, before in _runs(text))


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


def _is_number(run: str, before: str) -> bool:
    digits = "".join(filter(str.isdecimal, run))
    if "+" in run[:3]:
        return _is_international(digits)
    if run.startswith("00") and len(digits) > 10:
        return _is_international(digits[2:])
    if _NORTH_AMERICAN.fullmatch(run):
        return True
    if 9 <= len(digits) <= 12 and any(form.fullmatch(run) for form in _NATIONAL):
        return True
    return 7 <= len(digits) <= _LONGEST and bool(_ANNOUNCED.search(before))


def _is_international(digits: str) -> bool:
    if digits.startswith("0") or not 8 <= len(digits) <= _LONGEST:
        return False
    return not digits.startswith("1") or (len(digits) == 11 and digits[1] > "1")
