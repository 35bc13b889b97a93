"""Forms of adjudicators, checked field by field."""

from django import forms

from tasks.adjudication.workflow import MAX_REASON


class AdjudicationForm(forms.Form):
    """The fields of a decision's form besides the answers; the workflow asks for a reason."""

    idempotency_key = forms.CharField(max_length=100)
    guideline_version = forms.IntegerField(required=False)
    reason = forms.CharField(required=False, max_length=MAX_REASON)
    settles_flags = forms.BooleanField(required=False)
