"""The options of acts on items, checked for pages and calls alike."""

from typing import Any

from django import forms
from django.db.models import OuterRef
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tasks.explorer.view_forms import MOST_QUERY
from tasks.explorer.workflow.acts.acts import ACTS
from tasks.explorer.workflow.acts.plan import Options
from tasks.models import MAX_SET_ASIDE_REASON, ActKind, Membership, Rating, Role, Tag
from tasks.rating.workflow.assignment import active_raters
from tasks.storing.lookups import there_is
from tomahto.text.plain_name import plain_name

MOST_MORE = 20
MOST_DAYS = 90
_TAG_LENGTH = Tag._meta.get_field("name").max_length


class OptionsForm(forms.Form):
    """The options of an act: the fields that it reads, and no others."""

    tag = forms.CharField(max_length=_TAG_LENGTH, label=_("Tag"))
    more = forms.IntegerField(
        min_value=1,
        max_value=MOST_MORE,
        initial=1,
        label=_("Additional ratings per item"),
    )
    raters = forms.MultipleChoiceField(
        label=_("Raters"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={
            "required": _("Choose at least one rater."),
            "invalid_choice": _(
                "%(value)s is not the pseudonym of a rater who can be assigned items."
            ),
        },
    )
    is_divided = forms.TypedChoiceField(
        label=_("Distribution"),
        coerce=lambda value: value == "yes",
        choices=[
            ("no", _("Every rater gets every item")),
            ("yes", _("The items are divided among the raters")),
        ],
        initial="no",
        widget=forms.RadioSelect,
    )
    days = forms.IntegerField(
        min_value=1,
        max_value=MOST_DAYS,
        initial=14,
        label=_("Reserved for, in days"),
        help_text=_("After that, unused places are open to everyone."),
    )

    rater = forms.ChoiceField(label=_("Whose ratings?"))
    reason = forms.CharField(
        max_length=MAX_SET_ASIDE_REASON,
        label=_("Reason"),
        help_text=_("Kept in the audit log. The rater does not see it."),
    )

    def __init__(self, kind: ActKind, member: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._campaign = member.campaign
        for name in set(self.fields) - set(ACTS[kind].options):
            del self.fields[name]
        if "raters" in self.fields:
            # who is paused may be named, and is left out: the same act can be asked for once more
            raters = Membership.objects.filter(campaign=member.campaign, role=Role.RATER)
            known = list(raters.values_list("pseudonym", "name"))
            self.fields["raters"].choices = known  # type: ignore[attr-defined]  # a field of choices
            offered = list(active_raters(member.campaign).values_list("pseudonym", "name"))
            self.fields["raters"].widget.choices = offered
            if not offered:
                self.fields["raters"].help_text = gettext("This campaign has no active raters.")
        if "rater" in self.fields:
            rated = Membership.objects.filter(there_is(Rating.objects.filter(rater=OuterRef("pk"))))
            named = rated.filter(campaign=member.campaign).order_by("name")
            choices = list(named.values_list("pseudonym", "name"))
            self.fields["rater"].choices = choices  # type: ignore[attr-defined]  # a field of choices
        if "tag" in self.fields:
            self.fields["tag"].widget.attrs["list"] = "tags"
        if self.fields and not self.is_bound:
            next(iter(self.fields.values())).widget.attrs["autofocus"] = True

    def clean_tag(self) -> str:
        """One spelling of it: that of a tag which is there, whatever its case."""
        tag = " ".join(plain_name(str(self.cleaned_data["tag"])).split())
        if not tag:
            raise forms.ValidationError(self.fields["tag"].error_messages["required"])
        names = Tag.objects.filter(campaign=self._campaign).values_list("name", flat=True)
        return {name.casefold(): name for name in names}.get(tag.casefold(), tag)

    @property
    def options(self) -> Options:
        """The checked fields."""
        given = dict(self.cleaned_data)
        if "raters" in given:
            given["raters"] = tuple(dict.fromkeys(given["raters"]))
        return Options(**given)


class ChosenForm(forms.Form):
    """The items that an act is done to: those with these numbers, or all that are found."""

    act = forms.ChoiceField(choices=ActKind.choices)
    items = forms.CharField(required=False, max_length=200_000)
    everything = forms.BooleanField(required=False)
    query = forms.CharField(required=False, max_length=MOST_QUERY)
    looked_at = forms.CharField(required=False, max_length=40)
    idempotency_key = forms.CharField(required=False, max_length=100)

    def clean_items(self) -> list[int]:
        """Numbers, however they are put together."""
        words = str(self.cleaned_data["items"]).replace(",", " ").split()
        if not all(word.isdecimal() and len(word) <= 18 for word in words):
            raise forms.ValidationError(gettext("Enter the items by number."))
        return sorted({int(word) for word in words})
