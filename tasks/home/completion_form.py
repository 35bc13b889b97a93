"""What visitors of a crowd service are given when they are done."""

from typing import TYPE_CHECKING

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from tasks.models import Campaign

if TYPE_CHECKING:
    CampaignModelForm = forms.ModelForm[Campaign]
else:  # Django's ModelForm is generic for the type checker only
    CampaignModelForm = forms.ModelForm


class HttpsField(forms.URLField):
    """An address that begins with https://."""

    default_validators = [URLValidator(schemes=["https"])]
    default_error_messages = {"invalid": _("It has to be an address that begins with https://.")}


class CompletionForm(CampaignModelForm):
    """What visitors of a crowd service take back to it."""

    completion_url = HttpsField(
        label=_("Address to go back to"), required=False, max_length=500, assume_scheme="https"
    )

    class Meta:
        model = Campaign
        fields = ["completion_code", "completion_url"]
        labels = {"completion_code": _("Completion code")}
