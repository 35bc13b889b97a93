"""What people choose to see on a dashboard. These forms change nothing: they are sent by GET."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

DEFAULT_WIDTH = 0.1
_SKILLED = "0.15"


class MoreForm(forms.Form):
    """Which quantity is to be known how well, and what a rater is worth.

    `width` is that of the whole interval, as a share. `epsilon` is as in
    `tomahto.raters.alternative_annotator`.
    """

    quantity = forms.ChoiceField(label=_("Quantity"))
    width = forms.FloatField(
        label=_("Target width of the interval, end to end"),
        min_value=0.001,
        max_value=2,
        widget=forms.NumberInput(attrs={"step": "any", "inputmode": "decimal"}),
    )
    epsilon = forms.ChoiceField(
        label=_("Raters that the matcher would replace"),
        choices=[
            ("0.2", _("experts (ε = 0.2)")),
            (_SKILLED, _("skilled (ε = 0.15)")),
            ("0.1", _("crowd (ε = 0.1)")),
        ],
    )

    def __init__(self, given: Mapping[str, str], quantities: Sequence[Mapping[str, Any]]) -> None:
        defaults = {
            "quantity": quantities[0]["key"],
            "width": str(DEFAULT_WIDTH),
            "epsilon": _SKILLED,
        }
        chosen = {name: given.get(name, value) for name, value in defaults.items()}
        super().__init__(chosen, label_suffix="")
        self.fields["quantity"] = forms.ChoiceField(
            label=self.fields["quantity"].label, choices=_grouped(quantities)
        )


def _grouped(quantities: Sequence[Mapping[str, Any]]) -> list[tuple[Any, Any]]:
    """The choices, those of one kind together."""
    titles = {
        "accuracy": _("Accuracy of a system"),
        "difference": _("Difference of two systems"),
    }
    choices: list[tuple[Any, Any]] = []
    for kind, found in groupby(quantities, key=lambda quantity: quantity["kind"]):
        if kind == "alpha":
            choices += [(quantity["key"], _("Krippendorff’s α")) for quantity in found]
        else:
            named = [(quantity["key"], " − ".join(quantity["systems"])) for quantity in found]
            choices.append((titles[kind], named))
    return choices
