"""A remark with a pattern is checked in forms and calls."""

import pytest
from django import forms
from django.http import QueryDict
from rest_framework import serializers

from tasks.models.rating import validators_of
from tasks.rating.forms import SubmissionForm
from tasks.rating.shown.serializers import RatingSubmission
from tomahto.votes.remarks import Remark

PLAIN = Remark("reasoning", "", 2000)
CERTAINTY = Remark("certainty", "", 10, pattern="sure|unsure", example="sure")


@pytest.mark.parametrize("text", ["maybe", "sure\n", " sure", "surely", "SURE"])
def test_form_and_call_refuse_what_does_not_match(text: str) -> None:
    field = forms.CharField(required=False, strip=False, validators=validators_of(CERTAINTY))
    with pytest.raises(forms.ValidationError):
        field.clean(text)
    taken = serializers.CharField(
        allow_blank=True, trim_whitespace=False, validators=validators_of(CERTAINTY)
    )
    with pytest.raises(serializers.ValidationError):
        taken.run_validation(text)


@pytest.mark.parametrize("text", ["", "sure", "unsure"])
def test_form_and_call_take_what_matches(text: str) -> None:
    field = forms.CharField(required=False, strip=False, validators=validators_of(CERTAINTY))
    taken = serializers.CharField(
        allow_blank=True, trim_whitespace=False, validators=validators_of(CERTAINTY)
    )
    assert (field.clean(text), taken.run_validation(text)) == (text, text)


def test_a_remark_without_a_pattern_is_any_text() -> None:
    assert validators_of(PLAIN) == []


def test_the_rating_s_form_and_call_name_the_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.rating.forms.TYPED", (CERTAINTY,))
    monkeypatch.setattr("tasks.rating.shown.serializers.TYPED", (CERTAINTY,))
    form = SubmissionForm(QueryDict("idempotency_key=k&certainty=maybe"))
    body = RatingSubmission(data={"answers": {"q1": True}, "certainty": "maybe"})
    assert (list(form.errors), form.is_valid()) == (["certainty"], False)
    assert (body.is_valid(), list(body.errors)) == (False, ["certainty"])
