"""The form in which an admin sets ratings aside."""

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.models import MAX_SET_ASIDE_REASON


class SetAsideForm(forms.Form):
    """Which ratings of a rater, and why."""

    since = forms.DateField(
        required=False,
        label=_("Only those given since"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_(
            "Leave empty for all ratings. With a date, ratings without a known time still count."
        ),
    )
    reason = forms.CharField(
        max_length=MAX_SET_ASIDE_REASON,
        label=_("Reason"),
        help_text=_("Kept with the ratings and in the audit log. The rater does not see it."),
    )
