"""The agreement report as figures: every estimate in full, with its n, interval and reason."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from tasks.agreement.figures.agreement import agreement_of
from tasks.models import Campaign
from tomahto.estimates.estimate import Estimate, estimate_as_json


def agreement_figures(campaign: Campaign) -> dict[str, Any]:
    """What `agreement --json` says, by the names of
    `tomahto.reliability.report.AgreementReport`."""
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
