"""How good the systems are, as people judged their answers."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.agreement.pages.dashboard import dashboard_page
from tasks.agreement.shown.label_colours import label_colours
from tasks.models import Campaign, Membership
from tasks.web.addresses import Tab, page_at
from tomahto.ranking.system_answers import TIE


@page_at(
    "c/<slug:slug>/agreement/systems/",
    name="systems",
    calls=("api-figures",),
    tab=Tab(50, gettext_lazy("Systems")),
)
@member_page(RESULTS)
def systems(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Accuracy, labels and differences of the systems."""
    return dashboard_page(request, membership, "systems", _tables)


def _tables(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    colours = label_colours(campaign)
    titles = {label.value: label.title for label in campaign.annotation_protocol.labels}
    return {
        "heads": [
            *((titles[label], colours[label]) for label in titles),
            (_("No majority (tie)"), "soft"),
        ],
        "labels": [
            (row["system"], [row["labels"][label] for label in (*titles, TIE)])
            for row in figures["systems"]
        ],
        "unrated": sum(row["unrated_items"] for row in figures["systems"]),
    }
