"""What people write to each other, checked for page and call alike."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.models import MAX_MESSAGE, Item, Membership
from tasks.talk.queries.threads import raters_to_write_to


def one_line_break(text: str) -> str:
    """The text with the line breaks that browsers count, and none around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


class TextField(forms.CharField):
    """What a message says."""

    def to_python(self, value: Any) -> str:
        return one_line_break(super().to_python(value) or "")


class MessageForm(forms.Form):
    """A message to the other side of a thread."""

    text = TextField(
        label=_("Message"),
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto", "maxlength": MAX_MESSAGE}),
        error_messages={"required": _("Write a message first.")},
    )
    idempotency_key = forms.CharField(max_length=100, widget=forms.HiddenInput)


class FirstMessageForm(MessageForm):
    """A message to somebody who has rated an item."""

    rater = forms.ModelChoiceField(
        label=_("To"),
        queryset=Membership.objects.none(),
        to_field_name="pseudonym",
        empty_label=_("Choose a rater"),
    )
    field_order = ["rater", "text"]

    def __init__(self, item: Item, author: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["rater"]
        assert isinstance(choice, forms.ModelChoiceField)  # noqa: S101 - declared above
        choice.queryset = raters_to_write_to(item, author)
        # as figures and exports call them
        choice.label_from_instance = _pseudonym  # type: ignore[method-assign, assignment]


def _pseudonym(member: Membership) -> str:
    return member.pseudonym
