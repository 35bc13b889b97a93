"""Forms about consent and calibration."""

from django import forms
from django.utils.translation import gettext_lazy as _


class CalibrationForm(forms.Form):
    """As `configure_calibration` takes it."""

    is_required = forms.BooleanField(
        label=_("Raters have to pass a calibration before they start"), required=False
    )
    pass_percent = forms.IntegerField(
        label=_("Expected answers needed to pass, in per cent"), min_value=1, max_value=100
    )
    attempts = forms.IntegerField(label=_("Attempts"), min_value=1, max_value=100)


class DecisionForm(forms.Form):
    """An admin's decision about a member's calibration, with its reason."""

    decision = forms.ChoiceField(choices=[("grant", "grant"), ("pass", "pass")])
    reason = forms.CharField(max_length=300)


class ConsentTextForm(forms.Form):
    """The next version of the consent text; an empty one withdraws it."""

    text = forms.CharField(
        label=_("Consent text, in Markdown"),
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "true"}),
        help_text=_(
            "Members are asked to accept it before their next item, and again after each new "
            "version. Leave empty to ask nobody."
        ),
    )
