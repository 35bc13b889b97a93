"""What admins set and decide about calibration."""

from django import forms
from django.utils.translation import gettext_lazy as _


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
