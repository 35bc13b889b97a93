"""The explorer's filters, acts and views as forms.

Filters that are sent are checked as calls are (`listing_of_address`); their form says only what can
be chosen and what the choices are called.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from operator import itemgetter
from typing import Any

from django import forms
from django.db.models import OuterRef
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from tasks.explorer.queries.listing import ItemListing
from tasks.explorer.queries.rows import STATES
from tasks.explorer.shown.columns import state_title
from tasks.explorer.workflow.acts import ACTS
from tasks.explorer.workflow.plan import Options
from tasks.models import (
    MAX_SET_ASIDE_REASON,
    ActKind,
    ItemPurpose,
    Membership,
    Rating,
    Role,
    SavedView,
    Tag,
)
from tasks.people.queries import names_of_raters
from tasks.rating.workflow.assignment import active_raters
from tasks.storing.database import there_is
from tomahto.text.normalisation import plain_name

GROUPS = (
    (
        _("Votes"),
        (
            *("state", "label", "vote", "other_vote", "rater"),
            *("guideline", "tag", "assigned", "flagged"),
        ),
        ("disputed", "unfinished"),
    ),
    (_("Matcher"), ("matcher", "score_min", "score_max", "accepted"), ("differs",)),
    (_("Origin"), ("system", "document", "question_type", "split", "key", "purpose"), ()),
)
"""Titles with the filters that belong together, fields and boxes."""
_LISTED = ("system", "matcher", "guideline", "tag")
KNOWN = ("document", "question_type", "split")
"""Filters beside which names that occur are offered."""


class _Box(forms.BooleanField):
    """A box whose address has `NAME=yes`."""

    def __init__(self, label: Any) -> None:
        widget = forms.CheckboxInput({"value": "yes"}, check_test=lambda value: value == "yes")
        super().__init__(required=False, label=label, widget=widget)


class FilterForm(forms.Form):
    """Filters under the names that the API knows them by. What is empty asks nothing."""

    label = forms.ChoiceField(required=False, label=_("Majority label"))
    vote = forms.ChoiceField(required=False, label=_("Somebody voted"))
    other_vote = forms.ChoiceField(required=False, label=_("… and somebody voted"))
    rater = forms.ChoiceField(required=False, label=_("Rated by"))
    guideline = forms.ChoiceField(required=False, label=_("Rated under guidelines"))
    tag = forms.ChoiceField(required=False, label=_("Tag"))
    assigned = forms.ChoiceField(required=False, label=_("Assigned to"))
    state = forms.ChoiceField(required=False, label=_("State"))
    system = forms.ChoiceField(required=False, label=_("System"))
    flagged = forms.ChoiceField(
        required=False,
        label=_("Flags"),
        choices=[
            ("", pgettext_lazy("filter", "Any")),
            ("open", _("With an open flag")),
            ("any", _("Ever flagged")),
        ],
    )
    purpose = forms.ChoiceField(required=False, label=_("Purpose"))
    document = forms.CharField(required=False, max_length=255, label=_("Document"))
    question_type = forms.CharField(required=False, max_length=60, label=_("Type of question"))
    split = forms.CharField(required=False, max_length=40, label=_("Split"))
    key = forms.CharField(required=False, max_length=255, label=_("The item’s id"))
    matcher = forms.ChoiceField(required=False, label=_("Matcher"))
    score_min = forms.FloatField(required=False, label=_("Its score from"))
    score_max = forms.FloatField(required=False, label=_("Its score to"))
    accepted = forms.ChoiceField(
        required=False,
        label=_("Its verdict"),
        choices=[
            ("", pgettext_lazy("filter", "Any")),
            ("yes", _("Acceptable")),
            ("no", _("Not acceptable")),
        ],
    )
    disputed = _Box(_("Raters disagree"))
    unfinished = _Box(_("Ratings are missing"))
    differs = _Box(_("The matcher differs from the majority"))

    def __init__(
        self, member: Membership, choices: Mapping[str, Sequence[str]], listing: ItemListing
    ) -> None:
        super().__init__(initial=asdict(listing))
        titles = member.campaign.annotation_protocol.titles
        self._offer("label", titles.items())
        self._offer("vote", titles.items())
        self._offer("other_vote", titles.items())
        self._offer("state", [(state, state_title(state)) for state in STATES])
        self._offer("purpose", ItemPurpose.choices)
        named = names_of_raters(member)
        names = sorted(((each, named[each]) for each in choices["raters"]), key=itemgetter(1))
        self._offer("rater", names)
        self._offer("assigned", names)
        for name in _LISTED:
            self._offer(name, [(each, each) for each in choices[f"{name}s"]])
        for name in KNOWN:
            self.fields[name].widget.attrs["list"] = f"known-{name}"
        for name in ("score_min", "score_max"):
            self.fields[name].widget.attrs |= {"step": "any", "min": 0, "max": 1}

    def _offer(self, name: str, choices: Any) -> None:
        """Whatever is asked for is among them."""
        listed = [("", pgettext_lazy("filter", "Any")), *choices]
        listing = str(self.initial[name] or "")
        if listing not in {str(value) for value, _title in listed}:
            listed.append((listing, listing))
        self.fields[name].choices = listed  # type: ignore[attr-defined]  # a field of choices

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField], list[forms.BoundField]]]:
        return [
            (title, [self[name] for name in fields], [self[name] for name in boxes])
            for title, fields, boxes in GROUPS
        ]

    def title_of_field(self, name: str) -> str:
        """The page's name of a parameter; order, words and place by their own names."""
        return str(self.fields[name].label) if name in self.fields else name

    def title_of(self, name: str, value: Any) -> str:
        """The page's title of a filter's value."""
        choices = getattr(self.fields[name], "choices", ())
        return next((str(title) for key, title in choices if str(key) == str(value)), str(value))


MOST_MORE = 20
MOST_DAYS = 90
_TAG_LENGTH = Tag._meta.get_field("name").max_length


class OptionsForm(forms.Form):
    """The options of an act: the fields that it reads, and no others."""

    tag = forms.CharField(max_length=_TAG_LENGTH, label=_("Tag"))
    more = forms.IntegerField(
        min_value=1, max_value=MOST_MORE, initial=1, label=_("Additional ratings per item")
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
        given = dict(self.cleaned_data)
        if "raters" in given:
            given["raters"] = tuple(dict.fromkeys(given["raters"]))
        return Options(**given)


MOST_QUERY = 4000  # characters of an address after its question mark


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


_NAME_LENGTH = SavedView._meta.get_field("name").max_length


class ViewForm(forms.Form):
    """A name for what the explorer shows."""

    name = forms.CharField(max_length=_NAME_LENGTH, label=gettext_lazy("Name of the view"))
    query = forms.CharField(required=False, max_length=MOST_QUERY, widget=forms.HiddenInput)
    is_shared = forms.BooleanField(
        required=False, label=gettext_lazy("Share with the others in this campaign")
    )
