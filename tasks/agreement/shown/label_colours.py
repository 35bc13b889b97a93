"""The colours of labels in charts: the worst is red, the best is blue or green."""

from django.utils.translation import gettext as _

from tasks.models import Campaign

_STEPS = 8  # --step-1 to --step-8 of static/css/tokens.css, worst to best


def label_colours(campaign: Campaign) -> dict[str, str]:
    """The name of each label's colour, by its place in the order of the ranks.

    Labels of equal rank get neighbouring colours: they are different labels.
    """
    scheme = campaign.annotation_protocol.scheme
    worst_first = sorted(
        scheme.labels, key=lambda label: (scheme.rank_of[label], -scheme.index_of[label])
    )
    last = max(len(worst_first) - 1, 1)
    return {
        label: f"step-{1 + round(place * (_STEPS - 1) / last)}"
        for place, label in enumerate(worst_first)
    }


def label_heads(campaign: Campaign) -> list[tuple[str, str]]:
    """The title and colour of each label, and of ties, as the head of a table."""
    colours = label_colours(campaign)
    titles = campaign.annotation_protocol.titles
    return [
        *((titles[label], colours[label]) for label in titles),
        (_("No majority (tie)"), "soft"),
    ]
