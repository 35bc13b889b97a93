"""Consent: what raters agree to, and the text that admins write."""

from django import forms
from django.utils.translation import gettext_lazy as _


class ConsentForm(forms.Form):
    """A rater's consent to the version they have read."""

    version = forms.IntegerField(widget=forms.HiddenInput)
    agrees = forms.BooleanField(
        label=_("I have read this, and I agree to take part."),
        error_messages={"required": _("Tick the box if you agree. Without it you cannot rate.")},
    )


class ConsentTextForm(forms.Form):
    text = forms.CharField(
        label=_("Consent text, in Markdown"),
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "true"}),
        help_text=_(
            "Everybody is asked before their next item, and again after each new version. "
            "Without a text nobody is asked."
        ),
    )
