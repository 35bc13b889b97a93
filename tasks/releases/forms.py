"""Forms that make a release and withdraw it."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from tasks.models import Campaign
from tasks.releases.workflow.listing import MAX_REASON
from tomahto.releases.dataset.choices import (
    MOST_FOLDS,
    SplitError,
    format_split_spec,
    parse_split_spec,
)
from tomahto.releases.dataset.labels import LABEL_CHOICES as LABELS
from tomahto.releases.records.records import SplitSpec

MAX_SPLIT = 200  # characters, as the column has
MAX_LEAVE = 500  # characters that say why personal data may be released
FORM = "release-form"
PARTS = ("train", "dev", "test")
LABEL_CHOICES = {
    "majority": _("Majority of the ratings"),
    "adjudicated": _("Adjudicators’ decisions, otherwise the majority of the ratings"),
    "dawid-skene": _("Most probable label, given raters’ errors (Dawid and Skene)"),
}
is_version = RegexValidator(r"\A\d+\.\d+\.\d+\Z", _("Enter three numbers, such as 1.0.0."))
_SPLITS = [
    ("document", _("By document, with shares")),
    ("folds", _("In folds, for cross-validation")),
    ("system", _("By system")),
    ("predefined", _("As in the source")),
    ("text", _("As text")),
]


class ReleaseDraftForm(forms.Form):
    """A release to be. Bound, it checks that the split is well written; only making it shows
    whether these items allow it."""

    labels = forms.ChoiceField(
        label=_("Label of an item"),
        choices=[(choice, LABEL_CHOICES[choice]) for choice in LABELS],
        initial="majority",
        widget=forms.RadioSelect,
        help_text=_("Every release contains votes, estimates and decisions, whatever you choose."),
    )
    split_by = forms.ChoiceField(
        label=_("Splits"),
        choices=_SPLITS,
        initial="document",
        widget=forms.RadioSelect,
    )
    train = forms.DecimalField(required=False, min_value=0, max_value=100, decimal_places=3)
    dev = forms.DecimalField(
        required=False, min_value=0, max_value=100, decimal_places=3, initial=30
    )
    test = forms.DecimalField(
        required=False, min_value=0, max_value=100, decimal_places=3, initial=70
    )
    folds = forms.IntegerField(
        label=_("Number of folds"), required=False, min_value=2, max_value=MOST_FOLDS, initial=5
    )
    stratify = forms.BooleanField(
        label=_("Balance labels across splits, as far as documents allow"),
        required=False,
    )
    leaks = forms.BooleanField(
        label=_("Allow near-duplicate questions on two sides, and report them"),
        required=False,
        help_text=_(
            "This can only happen with documents that were released before, or next to splits "
            "that are kept."
        ),
    )
    keeps = forms.MultipleChoiceField(
        label=_("Keep these splits of the source, and divide the rest"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Leave the share of such a split empty."),
    )
    omits_others = forms.BooleanField(
        label=_("Leave out items that are in no split of the source"), required=False
    )
    split = forms.CharField(
        label=_("Split"),
        required=False,
        max_length=MAX_SPLIT,
        widget=forms.TextInput(attrs={"spellcheck": "false", "class": "code"}),
        help_text=_(
            "In the notation of the commands, for example document:dev=30,test=70:stratify=label."
        ),
    )
    seed = forms.IntegerField(
        label=_("Seed"),
        min_value=0,
        max_value=2**31 - 1,
        initial=0,
        help_text=_("The same seed gives the same splits and tie-breaks."),
    )
    without_controls = forms.BooleanField(
        label=_("Items that repeat a control item"),
        required=False,
        help_text=_("Their answers were already known to somebody."),
    )
    without_deactivated = forms.BooleanField(
        label=_("Ratings of people who are deactivated"), required=False
    )
    consented_only = forms.BooleanField(
        label=_("Ratings of people who never agreed to a consent text"), required=False
    )
    guideline_versions = forms.TypedMultipleChoiceField(
        label=_("Only ratings under these versions of the guidelines"),
        required=False,
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Choose none to include ratings under any version."),
    )
    comments = forms.BooleanField(
        label=_("Include raters’ comments"),
        required=False,
        help_text=_(
            "Comments are searched for e-mail addresses, telephone numbers and names of members. "
            "Any match stops the release."
        ),
    )
    personal_data_reason = forms.CharField(
        label=_("Reason for releasing comments with personal data"),
        required=False,
        max_length=MAX_LEAVE,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Recorded in the release. Leave empty if nothing was found."),
    )
    requires_datasheet = forms.BooleanField(
        label=_("Build only if the datasheet is complete"),
        required=False,
        widget=forms.CheckboxInput(attrs={"form": FORM}),
    )
    version = forms.CharField(
        label=_("Version"),
        max_length=40,
        help_text=_(
            "Three numbers, such as 1.0.0. Releases never change; this is the version "
            "that people cite."
        ),
        validators=[is_version],
        widget=forms.TextInput(attrs={"form": FORM}),  # it stands beside the form, at its end
    )

    def __init__(self, *args: Any, campaign: Campaign, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._systems = {
            f"system-{key}": name
            for key, name in campaign.systems.order_by("name").values_list("pk", "name")
        }
        for place, (field, name) in enumerate(self._systems.items(), start=1):
            self.fields[field] = forms.ChoiceField(
                label=name,
                required=False,
                choices=[("", _("left out")), *((part, part) for part in PARTS)],
                initial="test" if place == len(self._systems) > 1 else "dev",
            )
        missing = {"system"} if not self._systems else set()
        splits = campaign.questions.exclude(split="").order_by("split").distinct()
        kept = [(name, name) for name in splits.values_list("split", flat=True)]
        if not kept:
            missing.add("predefined")
        self._offer("keeps", kept)
        self._offer("split_by", [each for each in _SPLITS if each[0] not in missing])
        versions = campaign.guidelines.order_by("version").values_list("version", flat=True)
        self._offer("guideline_versions", [(version, str(version)) for version in versions])

    def _offer(self, field: str, choices: list[Any]) -> None:
        self.fields[field].choices = choices  # type: ignore[attr-defined]  # a ChoiceField

    @property
    def systems(self) -> list[BoundField]:
        return [self[field] for field in self._systems]

    @property
    def shares(self) -> list[BoundField]:
        return [self[part] for part in PARTS]

    @property
    def filters(self) -> list[BoundField]:
        return [self["without_controls"], self["without_deactivated"], self["consented_only"]]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        chosen = cleaned.get("split_by", "")
        for field in self._split_fields() - self._split_fields(chosen):
            self.errors.pop(field, None)  # nobody sees it
        write = _WRITERS.get(chosen)
        if write is None or self._split_fields().intersection(self.errors):
            return cleaned
        try:
            text = write(cleaned, self._systems)
            parse_split_spec(text)
        except SplitError as error:
            self.add_errors({"split": str(error)})
        else:
            cleaned["split"] = text
            if len(text) > MAX_SPLIT:
                long = _("The split is longer than %(limit)d characters.") % {"limit": MAX_SPLIT}
                self.add_errors({"split": long})
        return cleaned

    def add_errors(self, errors: Mapping[str, str]) -> None:
        """By the field of the plan."""
        for field, text in errors.items():
            self.add_error("split_by" if field == "split" else field, text)

    def _split_fields(self, *ways: str) -> set[str]:
        """The fields that these ways to split read, or those of all."""
        fields: Mapping[str, set[str]] = {
            "document": {*PARTS, "keeps"},
            "folds": {"folds", "keeps"},
            "system": {*self._systems},
            "predefined": set(),
            "text": {"split"},
        }
        return set().union(*(fields.get(way, set()) for way in ways or fields))


_Chosen = Mapping[str, Any]
_Names = Mapping[str, str]  # of systems, by their field


def _by_document(chosen: _Chosen, _systems: _Names) -> str:
    shares = {part: float(chosen[part]) for part in PARTS if chosen[part]}
    if not shares:
        raise SplitError(_("Enter a share for at least one split."))
    return format_split_spec(_whole_documents("document", shares, chosen))


def _in_folds(chosen: _Chosen, _systems: _Names) -> str:
    folds = chosen["folds"] or 0
    shares = {f"fold{number}": 100 / folds for number in range(1, folds + 1)}
    return format_split_spec(_whole_documents("folds", shares, chosen))


def _by_system(chosen: _Chosen, systems: _Names) -> str:
    parts = {
        part: tuple(name for field, name in systems.items() if chosen[field] == part)
        for part in PARTS
    }
    named = {part: names for part, names in parts.items() if names}
    if not named:
        raise SplitError(_("Assign at least one system to a split."))
    omits_others = any(not chosen[field] for field in systems)
    return format_split_spec(SplitSpec("system", {}, systems=named, omits_others=omits_others))


def _whole_documents(by: str, shares: Mapping[str, float], chosen: _Chosen) -> SplitSpec:
    return SplitSpec(
        by,
        shares,
        stratified=chosen["stratify"],
        reports_leaks=chosen["leaks"],
        kept=tuple(sorted(chosen["keeps"])),
    )


_WRITERS: Mapping[str, Callable[[_Chosen, _Names], str]] = {
    "document": _by_document,
    "folds": _in_folds,
    "system": _by_system,
    "predefined": lambda chosen, _systems: (
        "predefined:others=omit" if chosen["omits_others"] else "predefined"
    ),
    "text": lambda chosen, _systems: str(chosen["split"]),
}


class WithdrawalForm(forms.Form):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=MAX_REASON,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Shown to everybody who opens or downloads this release."),
    )
