"""Passwords that are easy to guess."""

import ast
import inspect
import itertools
import time
from contextlib import suppress

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils.translation import override
from zxcvbn import feedback

from tasks.access.guards.passwords import ADVICE, GuessableValidator
from tasks.models import Membership
from tests.factories import PASSWORD
from tests.tasks.browsers import signed_in

SIGNS = "!$%(+0123456789<@[{|"
MORE_WORDS = "Add another word or two. Uncommon words are better."


@pytest.mark.parametrize(
    ("password", "advice"),
    [
        ("p@ssw0rd1234", "This is similar to a commonly used password."),
        ("jessicasmith", "Common names and surnames are easy to guess."),
        ("aaaaaaaaaaaaa", 'Repeats like "aaa" are easy to guess.'),
        ("abcabcabcabcabc", 'Repeats like "abcabcabc" are only slightly harder to guess than'),
        ("Tr0ub4dour&3", "Predictable substitutions like '@' instead of 'a' don't help very much."),
        ("december1999", MORE_WORDS),
    ],
)
def test_what_is_easy_to_guess_is_refused_with_advice(password: str, advice: str) -> None:
    with pytest.raises(ValidationError) as refused:
        GuessableValidator().validate(password)
    [said] = refused.value.messages
    assert said.startswith("This password is easy to guess. ")
    assert advice in said


@pytest.mark.parametrize(
    "password", [PASSWORD, "a river of words", "tEaxh-92kqLw", "水は低きに流れる石"]
)
def test_other_passwords_are_taken(password: str) -> None:
    GuessableValidator().validate(password)


def test_django_asks_it(db: None) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password("jessicasmith")
    assert [each.code for each in refused.value.error_list] == ["password_guessable"]


def test_everything_that_zxcvbn_says_is_translated() -> None:
    said = {
        ast.literal_eval(each.args[0])
        for each in ast.walk(ast.parse(inspect.getsource(feedback)))
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "_"
    }
    assert said == {str(text) for text in ADVICE}
    with override("de"):
        assert not said & {str(text) for text in ADVICE}


@pytest.mark.parametrize(
    "password",
    [
        SIGNS * 200,
        "".join(map("".join, zip(itertools.cycle(SIGNS), "xkqzvjwygh" * 300, strict=False))),
        "a" * 4096,
        "abcdefgh1!|" * 400,
    ],
)
def test_long_ones_are_judged_soon(password: str) -> None:
    begun = time.process_time()
    with suppress(ValidationError):
        GuessableValidator().validate(password)
    assert time.process_time() - begun < 2


def test_page_says_what_to_change(rater: Membership) -> None:
    browser: Client = signed_in(rater)
    body = {
        "old_password": PASSWORD,
        "new_password1": "jessicasmith",
        "new_password2": "jessicasmith",
    }
    page = browser.post("/password/", body)
    [said] = page.context["form"].errors["new_password2"]
    assert said == (
        "This password is easy to guess. Common names and surnames are easy to guess. " + MORE_WORDS
    )
    assert rater.user is not None
    rater.user.refresh_from_db()
    assert rater.user.check_password(PASSWORD)
