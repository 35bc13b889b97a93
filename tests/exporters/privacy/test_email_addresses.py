"""E-mail addresses as people type them, and sentences that only look like them."""

import time

import pytest

from exporters.privacy import has_email_address
from tests.sampling import some_of

pytestmark = pytest.mark.slow


ADDRESSES = [
    "anna@example.org",
    "write to anna.berg+ae@uni-mail.example.co.uk, please",
    "Müller@bücher.example",
    "a@xn--bcher-kva.example",
    "anna @ example.org",
    "anna at example dot org",
    "anna at mail dot example dot ac dot uk",
    "anna [at] example [dot] org",
    "anna(at)example(dot)org",
    "anna {AT} example.org",
]
SENTENCES = [
    "",
    "look at wikipedia.org",
    "10 apples @ 3.50 each",
    "@username said so",
    "user@localhost",
    "a @ b",
    "meet @ home.Then go",
    "he is at school dot",
    "located at the dot in the map",
    "looked at the dot com boom",
    "at noon. Dot com bubble",
    "the price @ 5.Then it fell",
]
LENGTH = 10**5
HOSTILE = [
    "@", "a@", "a at ", " at at", "a.", "a-", "x@a.", "x@a-", "[ at ", "a at b dot ", "a dot ",
    "x@a.b.c.d.e.f.g.h.i.1 ", " ", "(", "a" * 80 + "@", "a@" + "b" * 62 + ".",
]  # fmt: skip


@pytest.mark.parametrize("text", ADDRESSES)
def test_address_is_found(text: str) -> None:
    assert has_email_address(text)


@pytest.mark.parametrize("text", SENTENCES)
def test_sentence_is_no_address(text: str) -> None:
    assert not has_email_address(text)


@pytest.mark.parametrize("unit", some_of(HOSTILE, 3))
def test_a_hostile_text_takes_no_time(unit: str) -> None:
    text = (unit * (LENGTH // len(unit) + 1))[:LENGTH]
    begun = time.process_time()
    assert not has_email_address(text)
    assert time.process_time() - begun < 5  # the slowest takes 0.2 s; quadratic would be minutes
