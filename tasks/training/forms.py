"""Forms of consent and calibration: what raters agree to, and what admins set and decide."""

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


class CalibrationForm(forms.Form):
    """As `configure_calibration` takes it."""

    is_required = forms.BooleanField(
        label=_("Raters pass a calibration before live work"), required=False
    )
    pass_percent = forms.IntegerField(
        label=_("Answers as expected to pass, in per cent"), min_value=1, max_value=100
    )
    attempts = forms.IntegerField(label=_("Attempts"), min_value=1, max_value=100)


class DecisionForm(forms.Form):
    """What an admin decides about a member's calibration, and why."""

    decision = forms.ChoiceField(choices=[("grant", "grant"), ("pass", "pass")])
    reason = forms.CharField(max_length=300)
