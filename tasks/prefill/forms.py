"""Forms that start jobs of matchers, answerers and endpoints, and pick out generated texts."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tasks.models import Campaign, JobKind
from tasks.prefill.queries.matchers import trained_matcher_names, usable_matchers
from tasks.prefill.workflow.generation import MAX_GENERATED, USUAL_NUMBER, suitable_kinds
from tomahto.answerers.registry import answerer_names, endpoint_names
from tomahto.matching.trainable import kinds_trainable_here


def _by_name(names: Iterable[str]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


class SuggestForm(forms.Form):
    name = forms.ChoiceField(label=_("Matcher"))

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = _by_name(dict.fromkeys(usable_matchers(campaign)))
        self.fields["name"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField


class TrainForm(forms.Form):
    name = forms.ChoiceField(label=_("Kind"), choices=lambda: _by_name(kinds_trainable_here()))
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=0,
        help_text=_("The same seed and labels give the same matcher."),
    )


class UseMatcherForm(forms.Form):
    name = forms.ChoiceField()

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = _by_name(trained_matcher_names(campaign))
        self.fields["name"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField


class AnswerForm(forms.Form):
    name = forms.ChoiceField(label=_("Answerer"), choices=lambda: _by_name(answerer_names()))


class GenerateForm(forms.Form):
    """The texts that a model is asked to write; without a choice of either, nothing can be
    started."""

    name = forms.ChoiceField(label=_("Endpoint"))
    texts = forms.ChoiceField(label=_("Kind of texts"))
    number = forms.IntegerField(
        label=_("Number"),
        min_value=1,
        max_value=MAX_GENERATED,
        help_text=_("Number of statements in total; otherwise per class or rule."),
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = suitable_kinds(campaign)
        choices = {
            "name": _by_name(endpoint_names()),
            "texts": [(kind.value, kind.label) for kind in kinds],
        }
        for field, values in choices.items():
            self.fields[field].choices = values  # type: ignore[attr-defined]  # a ChoiceField
        self.fields["number"].initial = USUAL_NUMBER[kinds[0]] if kinds else None
        self.is_possible = all(choices.values())


def job_form(kind: str, given: Mapping[str, Any], campaign: Campaign) -> forms.Form | None:
    """The form that starts a job of this kind; None for one that nobody starts by itself."""
    match kind:
        case JobKind.SUGGEST:
            return SuggestForm(given, campaign=campaign)
        case JobKind.ANSWER:
            return AnswerForm(given)
        case JobKind.GENERATE:
            return GenerateForm(given, campaign=campaign)
    return None


def job_parameters(cleaned: Mapping[str, Any]) -> dict[str, Any]:
    if "texts" not in cleaned:
        return {"name": cleaned["name"]}
    return {"name": cleaned["name"], "kind": cleaned["texts"], "number": cleaned["number"]}


class CommonForm(forms.Form):
    target = forms.CharField(required=False)
    system = forms.CharField(required=False)
    question_type = forms.CharField(required=False)
    second_verdict = forms.CharField(required=False)
