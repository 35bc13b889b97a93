"""What people type into pages, checked field by field; the workflow judges the rest."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tasks.adjudication.workflow import MAX_REASON
from tasks.campaigns.workflow.campaign import SETTINGS
from tasks.models import Campaign, JobKind
from tasks.prefill.queries.trained_matchers import trained_matcher_names, usable_matchers
from tasks.prefill.workflow.generation import MAX_GENERATED, USUAL_NUMBER, suitable_kinds
from tasks.protocols import protocols
from tasks.protocols.definition import AnnotationProtocol
from tomahto.answerers.registry import answerer_names, endpoint_names
from tomahto.matchers.trainable import kinds_trainable_here

if TYPE_CHECKING:
    CampaignModelForm = forms.ModelForm[Campaign]
else:  # Django's ModelForm is generic for the type checker only
    CampaignModelForm = forms.ModelForm

MAX_COMMENT = 5000
_DAY = 86_400


class SubmissionForm(forms.Form):
    """What a rating form carries besides the answers."""

    idempotency_key = forms.CharField(max_length=100)
    guideline_version = forms.IntegerField(required=False)
    seconds = forms.FloatField(required=False, min_value=0, max_value=_DAY)
    comment = forms.CharField(required=False, max_length=MAX_COMMENT, strip=False)
    asked = forms.CharField(required=False, max_length=100)
    # the assignment that the page shows in the meantime, where it had fetched it before
    shown = forms.IntegerField(required=False)


def answers_in(post: QueryDict, protocol: AnnotationProtocol) -> dict[str, str]:
    """The canonical answers a rating form holds, those included that an earlier one has closed.

    Raises AnswersError for an answer that the protocol does not know.
    """
    given: Mapping[str, list[str]] = {
        question.key: post.getlist(question.key)
        for question in protocol.questions
        if post.getlist(question.key)
    }
    return {
        question.key: question.canonical(list(given[question.key]))
        for question in protocol.questions
        if question.key in given
    }


class GoOnForm(forms.Form):
    """What the page sends when its rater goes on from a suggestion."""

    shown = forms.IntegerField(required=False)  # as in SubmissionForm


class SkipForm(forms.Form):
    reason = forms.CharField(max_length=500, label=_("Why do you skip this item?"))


class FlagForm(forms.Form):
    reason = forms.CharField(max_length=500)


class SettlementForm(forms.Form):
    settlement = forms.CharField(max_length=500)


class AdjudicationForm(forms.Form):
    """What the form of a decision carries besides the answers; the workflow asks for a reason."""

    idempotency_key = forms.CharField(max_length=100)
    guideline_version = forms.IntegerField(required=False)
    reason = forms.CharField(required=False, max_length=MAX_REASON)
    settles_flags = forms.BooleanField(required=False)


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


class SuggestForm(forms.Form):
    name = forms.ChoiceField(label=_("Matcher"))

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = _matcher_choices(campaign)
        self.fields["name"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField


def _trainable_here() -> list[tuple[str, str]]:
    return [(kind, kind) for kind in kinds_trainable_here()]


class TrainForm(forms.Form):
    name = forms.ChoiceField(label=_("Kind"), choices=_trainable_here)
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=0,
        help_text=_("Equal seeds and labels give equal matchers."),
    )


class UseMatcherForm(forms.Form):
    name = forms.ChoiceField()

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(name, name) for name in trained_matcher_names(campaign)]
        self.fields["name"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField


class AnswerForm(forms.Form):
    name = forms.ChoiceField(label=_("Answerer"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(name, name) for name in answerer_names()]
        self.fields["name"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField


class GenerateForm(forms.Form):
    """What a model is asked to write; where it has no choice of either, nothing can be started."""

    name = forms.ChoiceField(label=_("Endpoint"))
    texts = forms.ChoiceField(label=_("What it writes"))
    number = forms.IntegerField(
        label=_("Number"),
        min_value=1,
        max_value=MAX_GENERATED,
        help_text=_("Of statements in all, otherwise of each class or rule."),
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = suitable_kinds(campaign)
        choices = {
            "name": [(name, name) for name in endpoint_names()],
            "texts": [(kind.value, kind.label) for kind in kinds],
        }
        for field, values in choices.items():
            self.fields[field].choices = values  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["number"].initial = USUAL_NUMBER[kinds[0]] if kinds else None
        self.is_possible = all(choices.values())


def job_form(kind: str, given: Mapping[str, Any], campaign: Campaign) -> forms.Form | None:
    """What is filled in to start a job of this kind; None for one that nobody starts by itself."""
    match kind:
        case JobKind.SUGGEST:
            return SuggestForm(given, campaign=campaign)
        case JobKind.ANSWER:
            return AnswerForm(given)
        case JobKind.GENERATE:
            return GenerateForm(given, campaign=campaign)
    return None


def job_parameters(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a job from such a form."""
    if "texts" not in cleaned:
        return {"name": cleaned["name"]}
    return {"name": cleaned["name"], "kind": cleaned["texts"], "number": cleaned["number"]}


def _matcher_choices(campaign: Campaign, *chosen: str) -> list[tuple[str, str]]:
    """The matchers that can be used here, and what is chosen already even if it no longer can."""
    return [(name, name) for name in dict.fromkeys((*usable_matchers(campaign), *chosen))]
