"""Texts beside the answers of a rating: the one description that form, calls, files and releases
read. CONTRIBUTING.md has the recipe for a further one.
"""

import re
from dataclasses import dataclass, field, fields
from typing import Any, Final, Self


@dataclass(frozen=True, slots=True)
class Remark:
    """One text beside the answers.

    `meaning` describes its column in a release, where "" is nothing said. A text that has a
    `pattern` matches it, as `example` does. Raters type a remark that `is_typed`, so drafts keep it
    and pages show it with the rating; others come from the page. One that `is_private` is released
    only where comments are, and is searched for personal data first.
    """

    name: str
    meaning: str
    max_length: int
    is_typed: bool = True
    is_private: bool = True
    pattern: str = ""
    example: str = ""

    def mismatch(self, text: str) -> str:
        """The fault of a text that does not match the pattern; "" if it does, or says nothing."""
        if not text or not self.pattern or re.fullmatch(self.pattern, text):
            return ""
        return f"{text!r} is not a {self.name} such as `{self.example}`"


def _remark(meaning: str, max_length: int, **more: Any) -> Any:
    return field(default="", metadata={"meaning": meaning, "max_length": max_length, **more})


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarks:
    """The texts beside the answers of one rating, each under the same name everywhere."""

    comment: str = _remark("The rater's comment", 5000)
    wording: str = _remark(
        "Language and version of the form's wording, empty for the published one",
        50,
        is_typed=False,
        is_private=False,
        pattern=r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*-[1-9][0-9]{0,8}",
        example="de-1",
    )

    @classmethod
    def of(cls, source: object) -> Self:
        """The remarks among the attributes of a rating, a draft or a row."""
        return cls(**{remark.name: getattr(source, remark.name, "") for remark in REMARKS})


REMARKS: Final = tuple(Remark(each.name, **each.metadata) for each in fields(Remarks))
TYPED: Final = tuple(remark for remark in REMARKS if remark.is_typed)
PRIVATE: Final = tuple(remark for remark in REMARKS if remark.is_private)
PUBLIC: Final = tuple(remark for remark in REMARKS if not remark.is_private)
NOTHING_SAID: Final = Remarks()
