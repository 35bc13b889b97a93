"""What in a comment could tell who somebody is: addresses, numbers, names of people known here."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from exporters.privacy.email_addresses import has_email_address
from exporters.privacy.telephone_numbers import has_telephone_number
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.records.ratings import Ratings

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
    """The comments of the ratings that may hold personal data, by item and rater.

    Each different comment is looked at once.
    """
    kinds = [personal_kinds(comment, names) for comment in ratings.comments]
    is_found = np.array([bool(found) for found in kinds])
    return tuple(
        Finding(ratings.item_ids[row["item"]], ratings.raters[row["rater"]], kinds[row["comment"]])
        for row in ratings.rows[is_found[ratings.rows["comment"]]]
    )


def _findings_text(found: Sequence[Finding]) -> str:
    """The findings in one line that names items and pseudonyms."""
    shown = "; ".join(
        f"item {each.item_id!r}, rater {each.rater!r}: {' and '.join(each.kinds)}"
        for each in found[:_SHOWN]
    )
    return f"{shown} and {len(found) - _SHOWN} more" if len(found) > _SHOWN else shown


def _plain(text: str) -> str:
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(_plain(text).casefold()))
