"""What admins set about consent and calibration, and decide."""

from django import forms
from django.utils.translation import gettext_lazy as _


class CalibrationForm(forms.Form):
    """As `configure_calibration` takes it."""

    is_required = forms.BooleanField(
        label=_("Raters must pass a calibration first"), required=False
    )
    pass_percent = forms.IntegerField(
        label=_("Expected answers needed to pass, in per cent"), min_value=1, max_value=100
    )
    attempts = forms.IntegerField(label=_("Attempts"), min_value=1, max_value=100)


class DecisionForm(forms.Form):
    """What an admin decides about a member's calibration, and why."""

    decision = forms.ChoiceField(choices=[("grant", "grant"), ("pass", "pass")])
    reason = forms.CharField(max_length=300)


class ConsentTextForm(forms.Form):
    text = forms.CharField(
        label=_("Consent text, in Markdown"),
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "true"}),
        help_text=_(
            "Everybody is asked before their next item, and again after each new version. Leave "
            "empty to ask nobody."
        ),
    )
