"""The colours of labels in charts, worst to best."""

import pytest

from tasks.agreement.shown.labels import label_colours
from tasks.models import Campaign
from tasks.protocols import protocols


def test_classes_go_from_the_worst_colour_to_the_best() -> None:
    # of equivalent and alternative-correct, which have one rank, the first is the better colour
    assert label_colours(Campaign(protocol="cap")) == {
        "contradictory": "step-1",
        "invalid": "step-2",
        "overinclusive-invalid": "step-3",
        "partial": "step-4",
        "overinclusive-valid": "step-5",
        "alternative-correct": "step-6",
        "equivalent": "step-7",
        "exact": "step-8",
    }


def test_two_labels_get_the_ends() -> None:
    assert label_colours(Campaign(protocol="ae")) == {
        "equivalent": "step-8",
        "not-equivalent": "step-1",
    }


@pytest.mark.parametrize("protocol", sorted(protocols()))
def test_every_label_has_a_colour_of_its_own(protocol: str) -> None:
    colours = label_colours(Campaign(protocol=protocol))
    assert len(set(colours.values())) == len(colours)
