"""Errors of a form that a page shares with the API."""

from collections.abc import Mapping

from django import forms
from rest_framework import serializers


def require_valid(form: forms.BaseForm, names: Mapping[str, str] | None = None) -> None:
    """Raises ValidationError naming the fields, unless the form as a whole is wrong; `names` are
    those of its fields that are called otherwise in the API."""
    if not form.is_valid():
        errors = {
            (names or {}).get(field, field): [str(text) for text in texts]
            for field, texts in form.errors.items()
        }
        raise serializers.ValidationError(errors.pop("__all__", None) or errors)
