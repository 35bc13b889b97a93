"""What admins type to invite people by e-mail."""

import re
from email.utils import parseaddr
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from tasks.models import Role
from tasks.people.forms import MAX_DAYS
from tasks.people.workflow.invitation_mails import MAX_AT_ONCE, Recipient

MAX_NAME = 100
MAX_MESSAGE = 2000
_ADDRESS_ONLY = re.compile(r"[^\s<>,;\"]+@[^\s<>,;\"]+")


class InvitationMailForm(forms.Form):
    """Addresses and what their mail says; `cleaned_data["recipients"]` is whom to invite."""

    addresses = forms.CharField(
        label=_("Addresses"),
        max_length=100_000,
        widget=forms.Textarea(
            attrs={"rows": 8, "spellcheck": "false", "placeholder": "Ann Lee <ann@example.org>"}
        ),
        help_text=_("One per line, with or without a name; at most 200."),
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role, initial=Role.RATER)
    language = forms.ChoiceField(label=_("Language of the e-mail"), choices=settings.LANGUAGES)
    days = forms.IntegerField(
        label=_("Link valid for, in days"), min_value=1, max_value=MAX_DAYS, initial=14
    )
    message = forms.CharField(
        label=_("Your message"),
        required=False,
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Shown above the link in the e-mail. Optional."),
    )

    def clean_addresses(self) -> str:
        text = str(self.cleaned_data["addresses"])
        self.cleaned_data["recipients"] = recipients_in(text)
        return text

    def clean(self) -> dict[str, Any]:
        return self.cleaned_data


def recipients_in(text: str) -> list[Recipient]:
    """One for each line, without repetitions. Raises ValidationError naming the wrong lines."""
    found: dict[str, Recipient] = {}
    wrong = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not (stripped := line.strip().rstrip(",;")):
            continue
        try:
            recipient = recipient_of(stripped)
        except ValidationError:
            wrong.append(number)
        else:
            found.setdefault(recipient.address.lower(), recipient)
    if wrong:
        lines = ", ".join(map(str, wrong[:10])) + ("…" if len(wrong) > 10 else "")
        raise ValidationError(
            _now("There is no valid address in line %(lines)s.") % {"lines": lines}
        )
    if not found:
        raise ValidationError(_now("There is no address."))
    if len(found) > MAX_AT_ONCE:
        text = _now("These are %(number)d addresses. You can invite %(most)d at once.")
        raise ValidationError(text % {"number": len(found), "most": MAX_AT_ONCE})
    return list(found.values())


def recipient_of(line: str) -> Recipient:
    """From `ann@example.org` or `Ann Lee <ann@example.org>`. Raises ValidationError."""
    if _ADDRESS_ONLY.fullmatch(line):
        name, address = "", line
    else:
        name, address = parseaddr(line)
    validate_email(address)
    name = " ".join(name.split())
    if len(address) > 254 or len(name) > MAX_NAME or not name.isprintable():
        raise ValidationError("too long, or not printable")
    if not name and line != address and line != f"<{address}>":
        raise ValidationError("more than an address")
    return Recipient(address, name)
