"""What admins type about a campaign, checked field by field."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.models import Campaign
from tasks.protocols import protocols

if TYPE_CHECKING:
    CampaignModelForm = forms.ModelForm[Campaign]
else:  # Django's ModelForm is generic for the type checker only
    CampaignModelForm = forms.ModelForm


class NewCampaignForm(CampaignModelForm):
    """The start of a campaign; everything else can wait for the settings."""

    protocol = forms.ChoiceField(
        label=_("Protocol"),
        help_text=_("What raters are asked. It cannot be changed later."),
        widget=forms.Select(attrs={"lang": "en"}),  # the titles are part of the instrument
    )

    class Meta:
        model = Campaign
        fields = ["title", "slug", "protocol", "overlap", "suggestions", "description"]
        labels = {
            "title": _("Title"),
            "slug": _("Short name"),
            "overlap": _("Ratings per item"),
            "suggestions": _("Matcher suggestions"),
            "description": _("Description"),
        }
        help_texts = {
            "slug": _("For addresses and commands: lower-case letters, digits and hyphens."),
            "overlap": _("How many different people rate each item."),
        }
        error_messages = {
            "slug": {"unique": _("There is a campaign of this short name already.")},
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.name, f"{each.title} ({each.source})") for each in protocols().values()]
        self.fields["protocol"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField


class OverlapForm(forms.Form):
    """How many ratings the items of each system get, where that is not the campaign's number."""

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._systems = {f"system-{s.pk}": s.name for s in campaign.systems.order_by("name")}
        initial = {f"system-{system.pk}": system.overlap for system in campaign.systems.all()}
        for field, name in self._systems.items():
            self.fields[field] = forms.IntegerField(
                label=name, required=False, min_value=1, max_value=100, initial=initial[field]
            )

    def overlaps(self) -> dict[str, int | None]:
        """System name to its number, None for the campaign's."""
        return {name: self.cleaned_data[field] for field, name in self._systems.items()}


class GuidelineForm(forms.Form):
    text = forms.CharField(
        label=_("Guidelines, in Markdown"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "true"}),
        help_text=_("Publishing makes a new version. Open rating forms will ask for another look."),
    )
