"""Settings of a running campaign, checked field by field."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.campaigns.workflow.campaign import SETTINGS
from tasks.models import Campaign
from tasks.prefill.queries.trained_matchers import usable_matchers

if TYPE_CHECKING:
    CampaignModelForm = forms.ModelForm[Campaign]
else:  # Django's ModelForm is generic for the type checker only
    CampaignModelForm = forms.ModelForm


class SettingsForm(CampaignModelForm):
    """What may change in a running campaign."""

    class Meta:
        model = Campaign
        fields = SETTINGS
        labels = {
            "title": _("Title"),
            "description": _("Description"),
            "state": _("State"),
            "suggestions": _("Matcher suggestions"),
            "suggestion_matcher": _("Matcher whose suggestions are shown"),
            "overlap": _("Ratings per item"),
            "item_order": _("Order of items"),
            "rater_quota": _("Ratings per rater, at most"),
            "control_every": _("A control item about every … ratings"),
            "shows_differences": _("Underline the words in which two answers differ"),
            "adjudicates_blind": _("Adjudicators judge before they see the votes"),
        }
        help_texts = {
            "state": _("Nobody gets an item while a campaign is paused."),
            "overlap": _("Ratings in place stay when it is lowered."),
            "rater_quota": _("Empty: no limit."),
            "control_every": _("0: none. Raters are not told which items these are."),
            "adjudicates_blind": _("Their first answer is kept beside the decision."),
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["suggestion_matcher"] = forms.ChoiceField(
            label=_("Matcher whose suggestions are shown"),
            choices=_matcher_choices(self.instance, self.instance.suggestion_matcher),
        )


def _matcher_choices(campaign: Campaign, *chosen: str) -> list[tuple[str, str]]:
    """The matchers that can be used here, and what is chosen already even if it no longer can."""
    return [(name, name) for name in dict.fromkeys((*usable_matchers(campaign), *chosen))]
