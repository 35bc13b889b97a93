"""Personal data in comments: found by kind, named by position, never quoted."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.privacy import (
    NOBODY,
    Finding,
    KnownNames,
    PersonalDataError,
    personal_data_in,
    personal_kinds,
)
from tests.exporters.samples import AE_SCHEME, CAMPAIGN, RATINGS
from tomahto.releases.records.ratings import take_in_ratings

NAMES = KnownNames(["anna.berg", "Zoë Öztürk", "bo", "1984", "o'neill@example.org"])


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("a@example.org or 202-555-0143", ("e-mail address", "telephone number")),
        ("ask Anna Berg", ("name",)),
        ("ANNA-BERG knows", ("name",)),
        ("zoë  öztürk", ("name",)),
        ("Zo\u0065\u0308 \u00d6zt\u00fcrk", ("name",)),  # the same letters, put together
        ("an\u200bna.berg", ("name",)),
        ("anna\uff20example.org", ("e-mail address",)),  # the sign in full width
        ("anna", ()),
        ("berg anna", ()),
        ("annaberg", ()),
        ("bo and 1984", ()),  # too short, and no letter
        ("", ()),
    ],
)
def test_kinds_of_personal_data(text: str, kinds: tuple[str, ...]) -> None:
    assert personal_kinds(text, NAMES) == kinds


@given(st.text())
def test_any_text_is_looked_through(text: str) -> None:
    assert set(personal_kinds(text, NOBODY)) <= {"e-mail address", "telephone number"}


@given(st.lists(st.text(alphabet="abcäß", min_size=3), min_size=1, max_size=3))
def test_a_known_name_is_found_in_every_spelling_of_case(words: list[str]) -> None:
    names = KnownNames([" ".join(words)])
    assert personal_kinds(f"so said {'-'.join(words).upper()}.", names) == ("name",)


def test_findings_name_item_and_pseudonym() -> None:
    first, second, third, *others = RATINGS
    ratings = take_in_ratings(
        [
            replace(first, comment="mine is a@example.org"),
            replace(second, comment="see 1984"),
            replace(third, comment="mine is a@example.org"),
            *others,
        ],
        AE_SCHEME.labels,
        CAMPAIGN.question_keys,
    )
    assert personal_data_in(ratings, NOBODY) == (
        Finding("a1", "r1", ("e-mail address",)),
        Finding("a1", "r3", ("e-mail address",)),
    )


def test_refusal_counts_and_names_the_first_places_without_the_text() -> None:
    findings = [Finding(f"i{n}", "r1", ("e-mail address", "name")) for n in range(7)]
    shown = "; ".join(f"item 'i{n}', rater 'r1': e-mail address and name" for n in range(5))
    assert str(PersonalDataError(findings)) == (
        f"7 comments may hold personal data: {shown} and 2 more; leave comments out, or explain "
        "why they may be released"
    )
