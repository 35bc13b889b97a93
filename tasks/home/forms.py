"""Forms that start, set up, copy and delete a campaign."""

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import get_language_info
from django.utils.translation import gettext_lazy as _

from tasks.campaigns.workflow.campaign import SETTINGS, WORKING
from tasks.home.queries.personal import free_slug
from tasks.home.workflow import CopiedData
from tasks.intake.queries import imported_matchers
from tasks.models import Campaign, Role
from tasks.prefill.queries.matchers import usable_matchers
from tasks.protocols import protocols
from tasks.protocols.wording import wordings

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

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


class SettingsSection(NamedTuple):
    """Settings that are saved together: some of SETTINGS, in the order in which they are shown."""

    anchor: str
    title: "StrPromise"
    fields: tuple[str, ...]


SECTIONS: Final = (
    SettingsSection("general", _("General"), ("title", "state", "description", "language")),
    SettingsSection("ratings", _("Ratings"), ("overlap", "rater_quota", "exact_rule")),
    SettingsSection("order", _("Order"), ("item_order", "control_every")),
    SettingsSection("suggestions", _("Suggestions"), ("suggestions", "suggestion_matcher")),
    SettingsSection(
        "rating-form",
        _("Rating form"),
        ("shows_differences", "passages_are_markdown", "form_languages"),
    ),
    SettingsSection("adjudication", _("Adjudication"), ("adjudicates_blind",)),
    SettingsSection("mails", _("E-mails"), ("mail_sender_name", "mail_reply_to")),
)


class SettingsForm(CampaignModelForm):
    class Meta:
        model = Campaign
        fields = SETTINGS
        labels = {
            "title": _("Title"),
            "description": _("Description"),
            "language": _("Language of items and guidelines"),
            "state": _("State"),
            "exact_rule": _("Answers accepted without a rating"),
            "suggestions": _("Matcher suggestions"),
            "suggestion_matcher": _("Matcher whose suggestions are shown"),
            "overlap": _("Ratings per item"),
            "item_order": _("Order of items"),
            "rater_quota": _("Most ratings per rater"),
            "control_every": _("Ratings between control items, on average"),
            "shows_differences": _("Underline the words that differ between the two answers"),
            "passages_are_markdown": _("Show passages as Markdown, with tables and formulas"),
            "form_languages": _("Ask raters in their own language"),
            "adjudicates_blind": _("Adjudicators judge before they see the votes"),
            "mail_sender_name": _("Sender of e-mails"),
            "mail_reply_to": _("Address for replies to e-mails"),
        }
        help_texts = {
            "description": _("Members see it in their list of campaigns."),
            "language": _(
                "A language code such as en, ar or zh-Hant. Fonts and screen readers use it."
            ),
            "state": _("Nobody gets items while a campaign is paused."),
            "exact_rule": _("Applies to answers that are imported from now on."),
            "overlap": _("How many people rate each item. A lower number deletes no ratings."),
            "item_order": _("Applies to items that nobody has started yet."),
            "rater_quota": _("Leave empty for no limit."),
            "control_every": _("0 for none. Raters do not see which items are control items."),
            "suggestions": _("Whether raters see a matcher’s opinion of the answer."),
            "passages_are_markdown": _(
                "Write formulas between dollar signs: $E = mc^2$. If this is off, passages are "
                "plain text."
            ),
            "form_languages": _(
                "Raters who chose one of these languages, or whose browser asks for it, get a "
                "translated form, and each rating records the language. Tick none to compare "
                "agreement with published figures, which hold for the published words only."
            ),
            "adjudicates_blind": _("Their first answer is kept with the decision."),
            "mail_sender_name": _("Leave empty to use the site's name."),
            "mail_reply_to": _("Leave empty if nobody reads replies."),
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}

    def __init__(self, *args: Any, section: SettingsSection | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["state"].choices = [(each.value, each.label) for each in WORKING]  # type: ignore[attr-defined]  # a ChoiceField
        campaign = self.instance
        # what is chosen already stays, even if it no longer can be
        matchers = (*usable_matchers(campaign), *imported_matchers(campaign))
        names = dict.fromkeys((*matchers, campaign.suggestion_matcher))
        self.fields["suggestion_matcher"] = forms.ChoiceField(
            label=self.Meta.labels["suggestion_matcher"],
            choices=[(name, name) for name in names],
        )
        self.fields["form_languages"] = FormLanguagesField(
            label=self.Meta.labels["form_languages"],
            help_text=self.Meta.help_texts["form_languages"],
            required=False,
            choices=[(code, get_language_info(code)["name_translated"]) for code in wordings()],
        )
        if section is not None:
            self.fields = {name: self.fields[name] for name in section.fields}


class NewCampaignForm(CampaignModelForm):
    protocol = forms.ChoiceField(
        label=_("Protocol"),
        help_text=_("The questions that raters answer. You cannot change it later."),
        widget=forms.RadioSelect,
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

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if not cleaned.get("slug") and "slug" not in self.errors and "title" in cleaned:
            cleaned["slug"] = free_slug(cleaned["title"], cleaned.get("protocol", ""))
        return cleaned


class OverlapForm(forms.Form):
    """The number of ratings for the items of each system, where that is not the campaign's
    number."""

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
        help_text=_(
            "Every version is kept. Raters in the middle of an item are asked to read the new one."
        ),
    )


class PreviewForm(forms.Form):
    text = forms.CharField(required=False, max_length=200_000)


class HttpsField(forms.URLField):
    default_validators = [URLValidator(schemes=["https"])]
    default_error_messages = {"invalid": _("Enter an address that begins with https://.")}


class CompletionForm(CampaignModelForm):
    completion_url = HttpsField(
        label=_("Address to go back to"),
        required=False,
        max_length=500,
        assume_scheme="https",
        help_text=_("Adds a button that takes visitors back to the crowd service."),
    )

    class Meta:
        model = Campaign
        fields = ["completion_code", "completion_url"]
        labels = {"completion_code": _("Completion code")}
        help_texts = {
            "completion_code": _("Visitors enter it at the crowd service to get paid."),
        }


class CalibrationForm(forms.Form):
    """As `configure_calibration` takes it."""

    is_required = forms.BooleanField(
        label=_("Raters have to pass a calibration before they start"), required=False
    )
    pass_percent = forms.IntegerField(
        label=_("Expected answers needed to pass, in per cent"), min_value=1, max_value=100
    )
    attempts = forms.IntegerField(label=_("Attempts"), min_value=1, max_value=100)


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(choices=[("grant", "grant"), ("pass", "pass")])
    reason = forms.CharField(max_length=300)


class ConsentTextForm(forms.Form):
    """The next version of the consent text; an empty one withdraws it."""

    text = forms.CharField(
        label=_("Consent text, in Markdown"),
        required=False,
        max_length=50_000,
        widget=forms.Textarea(attrs={"rows": 10, "spellcheck": "true"}),
        help_text=_(
            "Members are asked to accept it before their next item, and again after each new "
            "version. Leave empty to ask nobody."
        ),
    )


class CopyForm(CampaignModelForm):
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
