"""The agreement of a campaign: the one report that page, command, API and release share."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from tasks.models import Campaign
from tasks.votes.patterns import votes_of
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.reliability.report import AgreementReport, agreement_report


def agreement_of(campaign: Campaign) -> AgreementReport:
    """Over every item with counted ratings, finished or not; the seed is the campaign's."""
    votes = votes_of(campaign)
    return agreement_report(campaign.protocol, votes.patterns, votes.pairs, seed=campaign.seed)


def agreement_figures(campaign: Campaign) -> dict[str, Any]:
    """The report as figures, by its names: every estimate in full, with n, interval and reason."""
    figures: dict[str, Any] = _in_full(agreement_of(campaign))
    return figures


def _in_full(part: Any) -> Any:
    if isinstance(part, Estimate):
        return estimate_as_json(part)
    if is_dataclass(part):
        return _in_full({field.name: getattr(part, field.name) for field in fields(part)})
    if isinstance(part, Mapping):
        found: dict[str, Any] = {}
        for key, value in part.items():
            found |= _in_full(value) if key == "estimates" else {str(key): _in_full(value)}
        return found
    if isinstance(part, tuple):
        return [_in_full(value) for value in part]
    return part
