"""The forms that copy and delete a campaign."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.home.forms import CampaignModelForm
from tasks.home.queries.short_names import free_slug
from tasks.home.workflow import CopiedData
from tasks.models import Campaign, Role


class CopyForm(CampaignModelForm):
    """The names of the copy, and how much comes along."""

    roles = forms.MultipleChoiceField(
        label=_("Members to copy, by role"),
        choices=Role.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("You become an admin of the copy in any case."),
    )
    content = forms.ChoiceField(
        label=_("Data to copy"),
        choices=CopiedData.choices,
        help_text=_("Ratings are never copied. Items bring their expected answers with them."),
    )

    class Meta:
        model = Campaign
        fields = ["title", "slug"]
        labels = {"title": _("Title"), "slug": _("Short name")}
        help_texts = {"slug": _("Leave empty to create it from the title.")}
        error_messages = {"slug": {"unique": _("Another campaign already has this short name.")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["slug"].required = False

    def clean_slug(self) -> str:
        return self.cleaned_data["slug"] or free_slug(self.cleaned_data.get("title", ""), "")


class DeletionForm(forms.Form):
    """The campaign's short name, typed so that nobody deletes a campaign by accident."""

    typed = forms.CharField(
        label=_("Short name of the campaign"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._slug = campaign.slug
        self.fields["typed"].help_text = _("Type “%(slug)s” to confirm.") % {"slug": self._slug}

    def clean_typed(self) -> str:
        typed: str = self.cleaned_data["typed"]
        if typed != self._slug:
            raise forms.ValidationError(_("This is not the short name of the campaign."))
        return typed
