"""What admins type about a campaign, checked field by field."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from tasks.campaigns.workflow.campaign import SETTINGS, WORKING
from tasks.home.queries.short_names import free_slug
from tasks.intake.queries.imported_scores import imported_matchers
from tasks.models import Campaign
from tasks.prefill.queries.trained_matchers import usable_matchers
from tasks.protocols import protocols
from tasks.protocols.wording import wordings

if TYPE_CHECKING:
    CampaignModelForm = forms.ModelForm[Campaign]
else:  # Django's ModelForm is generic for the type checker only
    CampaignModelForm = forms.ModelForm


class FormLanguagesField(forms.MultipleChoiceField):
    """Languages of the form to tick, which a campaign and the API say as codes by blanks."""

    widget = forms.CheckboxSelectMultiple

    def prepare_value(self, value: Any) -> Any:
        return value.split() if isinstance(value, str) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return super().has_changed(self.prepare_value(initial), self.prepare_value(data))

    def to_python(self, value: Any) -> list[str]:
        return super().to_python(self.prepare_value(value))

    def clean(self, value: Any) -> str:
        return " ".join(super().clean(value))


class SettingsForm(CampaignModelForm):
    """What may change in a running campaign."""

    class Meta:
        model = Campaign
        fields = SETTINGS
        labels = {
            "title": _("Title"),
            "description": _("Description"),
            "language": _("Language of items and guidelines"),
            "state": _("State"),
            "exact_rule": _("Answers that are right without a rating"),
            "suggestions": _("Matcher suggestions"),
            "suggestion_matcher": _("Matcher whose suggestions are shown"),
            "overlap": _("Ratings per item"),
            "item_order": _("Order of items"),
            "rater_quota": _("Ratings per rater, at most"),
            "control_every": _("A control item about every … ratings"),
            "shows_differences": _("Underline the words in which two answers differ"),
            "passages_are_markdown": _("Passages are Markdown, with tables and formulas"),
            "form_languages": _("Ask raters in their language too"),
            "adjudicates_blind": _("Adjudicators judge before they see the votes"),
        }
        help_texts = {
            "language": _(
                "Its code, such as en, ar or zh-Hant: fonts and screen readers follow it."
            ),
            "state": _("Nobody gets an item while a campaign is paused."),
            "exact_rule": _("A change holds for answers that are imported from then on."),
            "overlap": _("Ratings in place stay when it is lowered."),
            "rater_quota": _("Empty: no limit."),
            "control_every": _("0: none. Raters are not told which items these are."),
            "passages_are_markdown": _(
                "Otherwise, passages are plain text. Formulas stand between dollar signs: "
                "$E = mc^2$."
            ),
            "form_languages": _(
                "Raters who chose one of these languages, or whose browser asks for it, get the "
                "form in it; each rating records the language. Agreement can be compared with "
                "published figures only if everybody is asked in the published words: leave all "
                "unticked for that."
            ),
            "adjudicates_blind": _("Their first answer is kept beside the decision."),
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["state"].choices = [(each.value, each.label) for each in WORKING]  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["suggestion_matcher"] = forms.ChoiceField(
            label=_("Matcher whose suggestions are shown"),
            choices=_matcher_choices(self.instance, self.instance.suggestion_matcher),
        )
        self.fields["form_languages"] = FormLanguagesField(
            label=self.Meta.labels["form_languages"],
            help_text=self.Meta.help_texts["form_languages"],
            required=False,
            choices=[(code, get_language_info(code)["name_translated"]) for code in wordings()],
        )


def _matcher_choices(campaign: Campaign, *chosen: str) -> list[tuple[str, str]]:
    """The matchers that can be used here, those whose scores were imported, and what is chosen
    already even if it no longer can."""
    names = (*usable_matchers(campaign), *imported_matchers(campaign), *chosen)
    return [(name, name) for name in dict.fromkeys(names)]


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
            "slug": _(
                "Used in addresses and commands: lower-case letters, digits and hyphens. "
                "Leave empty to create it from the title."
            ),
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
        self.fields["slug"].required = False

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("slug") and "slug" not in self.errors and "title" in cleaned:
            cleaned["slug"] = free_slug(cleaned["title"], cleaned.get("protocol", ""))
        return cleaned


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
