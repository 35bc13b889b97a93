"""What admins type to copy or delete a campaign."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.home.forms import NewCampaignForm
from tasks.models import Campaign


class CopyForm(NewCampaignForm):
    """The names of the copy, and how much comes along."""

    protocol = None  # type: ignore[assignment]  # Django's way to leave an inherited field out
    with_items = forms.BooleanField(
        label=_("Copy the questions and items too"),
        required=False,
        help_text=_("Ratings, decisions, flags, suggestions and releases are not copied."),
    )
    with_admins = forms.BooleanField(label=_("Add the other admins to the copy"), required=False)

    class Meta(NewCampaignForm.Meta):
        fields = ["title", "slug"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super(NewCampaignForm, self).__init__(*args, **kwargs)


class DeletionForm(forms.Form):
    """The campaign's title, as whoever deletes it has typed it."""

    title = forms.CharField(
        label=_("Title of the campaign"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Type it exactly as shown above."),
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._title = " ".join(campaign.title.split())

    def clean_title(self) -> str:
        title = str(self.cleaned_data["title"])
        if " ".join(title.split()) != self._title:
            raise forms.ValidationError(_("This is not the title of the campaign."))
        return title
