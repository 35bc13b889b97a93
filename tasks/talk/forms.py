"""Messages that people write to each other, checked for page and call alike."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.models import MAX_MESSAGE


def with_plain_breaks(text: str) -> str:
    """The text with the line breaks that browsers count, and none around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


class TextField(forms.CharField):
    def to_python(self, value: Any) -> str:
        return with_plain_breaks(super().to_python(value) or "")


class MessageForm(forms.Form):
    text = TextField(
        label=_("Message"),
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "data-mentions": "mentions"}),
        help_text=_(
            "Plain text, up to 2,000 characters. Messages cannot be edited or deleted later."
        ),
        error_messages={"required": _("Write a message first.")},
    )
    idempotency_key = forms.CharField(max_length=100, widget=forms.HiddenInput)
