"""Forms of raters, checked field by field; the workflow judges the rest."""

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tasks.models.rating import validate_wording, validators_of
from tasks.rating.workflow.rating import MAX_SECONDS
from tomahto.votes.remarks import REMARKS, TYPED, Remarks


class SubmissionForm(forms.Form):
    """The fields of a rating form besides the answers."""

    idempotency_key = forms.CharField(max_length=100)
    guideline_version = forms.IntegerField(required=False)
    wording = forms.CharField(required=False, max_length=50, validators=[validate_wording])
    seconds = forms.FloatField(required=False, min_value=0, max_value=MAX_SECONDS)
    asked = forms.CharField(required=False, max_length=100)
    # the assignment that the page shows in the meantime, where it had fetched it before
    shown = forms.IntegerField(required=False)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields |= {
            remark.name: forms.CharField(
                required=False,
                max_length=remark.max_length,
                strip=False,
                validators=validators_of(remark),
            )
            for remark in TYPED
        }

    @property
    def remarks(self) -> Remarks:
        """The checked ones."""
        return Remarks(**{remark.name: self.cleaned_data[remark.name] for remark in REMARKS})


class GoOnForm(forms.Form):
    shown = forms.IntegerField(required=False)  # as in SubmissionForm


class SkipForm(forms.Form):
    reason = forms.CharField(max_length=500, label=_("Reason for skipping"))


class FlagForm(forms.Form):
    reason = forms.CharField(max_length=500)


class SettlementForm(forms.Form):
    settlement = forms.CharField(max_length=500)
