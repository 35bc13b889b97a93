"""The fields of the explorer's filters, as its page offers them.

What is sent is checked as calls are (`asked_of_address`); this form says only what can be chosen
and what the choices are called.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from operator import itemgetter
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from tasks.explorer.queries.asked import Asked
from tasks.explorer.queries.rows import STATES
from tasks.explorer.shown.states import state_title
from tasks.models import ItemPurpose, Membership
from tasks.people.queries.names import names_of_raters

GROUPS = (
    (
        _("Votes"),
        (
            "state",
            "label",
            "vote",
            "other_vote",
            "rater",
            "guideline",
            "tag",
            "assigned",
            "flagged",
        ),
        ("disputed", "unfinished"),
    ),
    (_("Matcher"), ("matcher", "score_min", "score_max", "accepted"), ("differs",)),
    (
        _("Origin"),
        ("system", "document", "question_type", "split", "key", "purpose"),
        (),
    ),
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
        self, member: Membership, choices: Mapping[str, Sequence[str]], asked: Asked
    ) -> None:
        super().__init__(initial=asdict(asked))
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
        asked = str(self.initial[name] or "")
        if asked not in {str(value) for value, _title in listed}:
            listed.append((asked, asked))
        self.fields[name].choices = listed  # type: ignore[attr-defined]  # a field of choices

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField], list[forms.BoundField]]]:
        """As `GROUPS`, with the fields themselves."""
        return [
            (title, [self[name] for name in fields], [self[name] for name in boxes])
            for title, fields, boxes in GROUPS
        ]

    def title_of_field(self, name: str) -> str:
        """What the page calls a parameter; order, words and place by their own names."""
        return str(self.fields[name].label) if name in self.fields else name

    def title_of(self, name: str, value: Any) -> str:
        """What a filter's value is called on the page."""
        choices = getattr(self.fields[name], "choices", ())
        return next((str(title) for key, title in choices if str(key) == str(value)), str(value))
