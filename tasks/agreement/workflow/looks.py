"""When statistical tests are made of a campaign: at looks that share one level.

The ratings have grown by half between two looks, and look k may raise a false alarm with a
chance of level / (k (k + 1)): all looks together with at most `level` (alpha spending, see
`tomahto.raters.drift.level_of_look`). A campaign of 100,000 ratings has been looked at 18 times.
"""

import json

from django.db import IntegrityError, transaction

from tasks.agreement.figures.chance import Chance
from tasks.agreement.findings.findings import FINDINGS
from tasks.models import Campaign, Look
from tomahto.raters.drift import level_of_look

FIRST_AT = 100  # counted ratings
GROWS_BY = 1.5
LEVEL = 0.05  # over all looks at a campaign, for each test


def next_look_at(last: Look | None) -> int:
    """The number of counted ratings from which on the next look is due."""
    return FIRST_AT if last is None else round(last.ratings * GROWS_BY)


def latest_look(campaign: Campaign) -> Look | None:
    return Look.objects.filter(campaign=campaign).first()


def look_if_due(*, campaign: Campaign, ratings: int) -> Look | None:
    """Make the next look if there are `ratings` enough for it; None if there are not.

    Whoever is late by a moment finds the look made, and makes none.
    """
    last = latest_look(campaign)
    if ratings < next_look_at(last):
        return None
    number = last.number + 1 if last else 1
    chance = Chance(level_of_look(number, level=LEVEL), campaign.seed)
    found = {name: test(campaign, chance) for name, test in FINDINGS.items()}
    try:
        with transaction.atomic():
            return Look.objects.create(
                campaign=campaign,
                number=number,
                ratings=ratings,
                level=chance.level,
                findings=json.dumps(found),
            )
    except IntegrityError:
        return None
