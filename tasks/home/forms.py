"""What admins type about a campaign, checked field by field."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django import forms
from django.core.validators import RegexValidator, URLValidator
from django.utils.translation import gettext_lazy as _

from tasks.campaigns.workflow.campaign import SETTINGS
from tasks.home.queries.short_names import free_slug
from tasks.intake.queries.imported_scores import imported_matchers
from tasks.models import Campaign, CampaignState
from tasks.prefill.queries.trained_matchers import usable_matchers
from tasks.protocols import protocols

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

    CampaignModelForm = forms.ModelForm[Campaign]
else:  # Django's ModelForm is generic for the type checker only
    CampaignModelForm = forms.ModelForm


class Section(NamedTuple):
    """Settings that are saved together; `fields` are some of SETTINGS."""

    name: str
    title: "StrPromise"
    fields: tuple[str, ...]


WORKING: Final = (CampaignState.OPEN, CampaignState.PAUSED)
"""What the settings change between; archiving is an act of its own."""

SECTIONS: Final = (
    Section("general", _("General"), ("title", "description", "state")),
    Section("ratings", _("Ratings per item"), ("overlap", "rater_quota", "lease_minutes")),
    Section("order", _("Order of items"), ("item_order", "control_every")),
    Section("suggestions", _("Suggestions"), ("suggestions", "suggestion_matcher")),
    Section(
        "judging",
        _("Judging"),
        ("shows_differences", "passages_are_markdown", "adjudicates_blind"),
    ),
    Section(
        "visitors",
        _("Visitors of crowd services"),
        ("visitor_lease_minutes", "visitors_per_address", "visitors_per_link"),
    ),
    Section("release", _("Release defaults"), ("language", "licence")),
)

_LANGUAGE = RegexValidator(
    r"\A[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*\Z", _("Enter a language tag, such as en or pt-BR.")
)
_LICENCE = RegexValidator(
    r"\A[a-z0-9][a-z0-9.+-]*\Z", _("Enter the short name of a licence, such as cc-by-4.0.")
)


class SettingsForm(CampaignModelForm):
    """What may change in a running campaign: all of it, or one section alone."""

    language = forms.CharField(
        label=_("Language of the items"),
        max_length=35,
        validators=[_LANGUAGE],
        help_text=_(
            "A language tag, such as en or pt-BR. It appears on the card of every release."
        ),
    )
    licence = forms.CharField(
        label=_("Licence"),
        max_length=60,
        validators=[_LICENCE],
        help_text=_("The licence of your releases, as a short name such as cc-by-4.0."),
    )

    class Meta:
        model = Campaign
        fields = SETTINGS
        labels = {
            "title": _("Title"),
            "description": _("Description"),
            "suggestions": _("Matcher suggestions"),
            "suggestion_matcher": _("Matcher that makes the suggestions"),
            "overlap": _("Ratings per item"),
            "item_order": _("Order of items"),
            "rater_quota": _("Most items per rater"),
            "lease_minutes": _("Time limit per item, in minutes"),
            "visitor_lease_minutes": _("Time limit per item for visitors, in minutes"),
            "visitors_per_address": _("New visitors from one network address in 15 minutes"),
            "visitors_per_link": _("New visitors by one link in 15 minutes"),
            "control_every": _("Ratings between control items, on average"),
            "shows_differences": _("Underline the words that differ between the two answers"),
            "passages_are_markdown": _("Format passages as Markdown, with tables and formulas"),
            "adjudicates_blind": _("Adjudicators judge before seeing the votes"),
        }
        help_texts = {
            "description": _("Shown to members in their list of campaigns."),
            "overlap": _(
                "How many people rate each item. Lowering it does not delete any ratings."
            ),
            "rater_quota": _("How many items one person may rate. Leave empty for no limit."),
            "lease_minutes": _(
                "After this time the item goes to somebody else. The rater’s draft is kept."
            ),
            "visitor_lease_minutes": _(
                "Visitors hold one item at a time. If they fall silent, it goes to somebody else"
                " after this time or after that of all raters, whichever is shorter."
            ),
            "visitors_per_address": _(
                "Keeps one person from taking part under many names. 0 for no limit, where many"
                " visitors share an address, as in a computer room."
            ),
            "visitors_per_link": _("0 for no limit."),
            "item_order": _("Applies to items that nobody has started yet."),
            "control_every": _("0 for none. Raters are not told which items are control items."),
            "suggestions": _("Whether raters see a matcher’s verdict on the answer."),
            "passages_are_markdown": _(
                "Write formulas between dollar signs: $E = mc^2$. If off, passages are shown as"
                " plain text."
            ),
            "adjudicates_blind": _("Their first answer is kept along with the decision."),
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, section: Section | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.section = section
        if section is not None:
            self.fields = {name: self.fields[name] for name in section.fields}
        if "state" in self.fields:
            self.fields["state"] = forms.ChoiceField(
                label=_("State"),
                choices=[(each, each.label) for each in WORKING],
                help_text=_("While a campaign is paused, nobody gets new items."),
            )
        if "suggestion_matcher" in self.fields:
            self.fields["suggestion_matcher"] = forms.ChoiceField(
                label=_("Matcher that makes the suggestions"),
                choices=_matcher_choices(self.instance, self.instance.suggestion_matcher),
            )

    @property
    def changes(self) -> dict[str, Any]:
        """The new values of a valid form, by their names."""
        return {name: self.cleaned_data[name] for name in self.changed_data}


def _matcher_choices(campaign: Campaign, *chosen: str) -> list[tuple[str, str]]:
    """The matchers that can be used here, those whose scores were imported, and what is chosen
    already even if it no longer can."""
    names = (*usable_matchers(campaign), *imported_matchers(campaign), *chosen)
    return [(name, name) for name in dict.fromkeys(names)]


class NewCampaignForm(CampaignModelForm):
    """The start of a campaign; everything else can wait for the settings."""

    protocol = forms.ChoiceField(
        label=_("Protocol"),
        help_text=_("What raters are asked. You cannot change this later."),
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
            "slug": {"unique": _("There is already a campaign with this short name.")},
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.name, f"{each.title} ({each.source})") for each in protocols().values()]
        self.fields["protocol"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["slug"].required = False
        self.fields["title"].widget.attrs["data-slug-source"] = "id_slug"

    def clean(self) -> dict[str, Any]:
        """A short name from the title where none is given."""
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
    """The next version of the guidelines."""

    text = forms.CharField(
        label=_("Guidelines, in Markdown"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 18, "spellcheck": "true"}),
        help_text=_(
            "Every version is kept. People in the middle of an item are asked to read the new one."
        ),
    )


class PreviewForm(forms.Form):
    """A text that is being written."""

    text = forms.CharField(required=False, max_length=200_000, strip=False)


class HttpsField(forms.URLField):
    """An address that begins with https://."""

    default_validators = [URLValidator(schemes=["https"])]
    default_error_messages = {"invalid": _("Enter an address that begins with https://.")}


class CompletionForm(CampaignModelForm):
    """What visitors of a crowd service take back to it."""

    completion_url = HttpsField(
        label=_("Address to go back to"),
        required=False,
        max_length=500,
        assume_scheme="https",
        help_text=_("Adds a button that takes visitors back."),
    )

    class Meta:
        model = Campaign
        fields = ["completion_code", "completion_url"]
        labels = {"completion_code": _("Completion code")}
        help_texts = {
            "completion_code": _("Visitors enter it at the crowd service to get paid."),
        }
