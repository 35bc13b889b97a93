"""Passwords that are easy to guess are refused, with what to change (zxcvbn, Wheeler 2016).

It carries lists of passwords, names and words as they are found in breaches, and knows rows of
keys, repeats, sequences, dates and signs that stand for letters. Nothing is asked of another site.
"""

from functools import cache
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

LEAST_SCORE = 3
"""Of 0 to 4: at least 10^8 guesses."""
_JUDGED = 48
# signs that may stand for letters: the time grows with the ways in which they can be read
_SIGNS_JUDGED = 6

ADVICE = (
    gettext_lazy("Use a few words, avoid common phrases."),
    gettext_lazy("No need for symbols, digits, or uppercase letters."),
    gettext_lazy("Add another word or two. Uncommon words are better."),
    gettext_lazy("Straight rows of keys are easy to guess."),
    gettext_lazy("Short keyboard patterns are easy to guess."),
    gettext_lazy("Use a longer keyboard pattern with more turns."),
    gettext_lazy('Repeats like "aaa" are easy to guess.'),
    gettext_lazy('Repeats like "abcabcabc" are only slightly harder to guess than "abc".'),
    gettext_lazy("Avoid repeated words and characters."),
    gettext_lazy('Sequences like "abc" or "6543" are easy to guess.'),
    gettext_lazy("Avoid sequences."),
    gettext_lazy("Recent years are easy to guess."),
    gettext_lazy("Avoid recent years."),
    gettext_lazy("Avoid years that are associated with you."),
    gettext_lazy("Dates are often easy to guess."),
    gettext_lazy("Avoid dates and years that are associated with you."),
    gettext_lazy("This is a top-10 common password."),
    gettext_lazy("This is a top-100 common password."),
    gettext_lazy("This is a very common password."),
    gettext_lazy("This is similar to a commonly used password."),
    gettext_lazy("A word by itself is easy to guess."),
    gettext_lazy("Names and surnames by themselves are easy to guess."),
    gettext_lazy("Common names and surnames are easy to guess."),
    gettext_lazy("Capitalization doesn't help very much."),
    gettext_lazy("All-uppercase is almost as easy to guess as all-lowercase."),
    gettext_lazy("Reversed words aren't much harder to guess."),
    gettext_lazy("Predictable substitutions like '@' instead of 'a' don't help very much."),
)
"""What zxcvbn says, in the reader's language; as it stands here in English."""


class GuessableValidator:
    """Refuses what is guessed in fewer than 10^8 tries, beside Django's own validators."""

    def validate(self, password: str, user: object = None) -> None:  # noqa: ARG002 - Django's own
        """Raises ValidationError, with what to change."""
        found = _judge(_beginning(password))
        if found["score"] >= LEAST_SCORE:
            return
        said = [found["feedback"]["warning"], *found["feedback"]["suggestions"]]
        advice = " ".join(_(text) for text in said if text)
        raise ValidationError(
            _("This password is easy to guess. %(advice)s"),
            code="password_guessable",
            params={"advice": advice},
        )

    def get_help_text(self) -> str:
        return _("Your password must not be easy to guess: a few uncommon words are good.")


def _beginning(password: str) -> str:
    """As much as is judged in less than a second, which is as hard to guess as the whole, or
    easier."""
    signs: set[str] = set()
    for place, letter in enumerate(password[:_JUDGED]):
        signs |= {letter} & _signs()
        if len(signs) > _SIGNS_JUDGED:
            return password[:place]
    return password[:_JUDGED]


def _judge(password: str) -> dict[str, Any]:
    from zxcvbn import matching, zxcvbn

    # it adds this one at its first call, while another thread may be going through them
    matching.RANKED_DICTIONARIES.setdefault("user_inputs", {})
    found: dict[str, Any] = zxcvbn(password)
    return found


@cache
def _signs() -> frozenset[str]:
    from zxcvbn import matching

    return frozenset(sign for signs in matching.L33T_TABLE.values() for sign in signs)
