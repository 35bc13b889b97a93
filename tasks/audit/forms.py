"""Filters of the audit log."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.models import AuditAction

_LARGEST = 2**63 - 1


class AuditForm(forms.Form):
    action = forms.ChoiceField(
        label=_("Action"), required=False, choices=[("", _("Everything")), *AuditAction.choices]
    )
    actor = forms.CharField(label=_("Person (name at the time)"), required=False, max_length=255)
    before = forms.IntegerField(
        required=False, min_value=1, max_value=_LARGEST, widget=forms.HiddenInput
    )
