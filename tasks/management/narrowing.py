"""Commands that give figures of a part of the ratings: its options."""

from argparse import ArgumentParser
from collections.abc import Mapping
from typing import Any

from tasks.management.command import campaign_named
from tasks.models import Campaign
from tasks.votes.narrowing import PARAMETERS, narrowing_of


def add_narrowing(parser: ArgumentParser) -> None:
    """Give a parser an option for each condition, next to the slug of the campaign."""
    parser.add_argument("slug")
    for name, text in PARAMETERS.items():
        parser.add_argument(f"--{name}", default="", help=text)


def narrowed_campaign(options: Mapping[str, Any]) -> Campaign:
    """The campaign, narrowed as the options say. Raises CommandError and NarrowingError."""
    campaign = campaign_named(options["slug"])
    campaign.narrowed_to = narrowing_of(campaign, options)
    return campaign
