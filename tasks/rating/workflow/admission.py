"""Who may get items: members who consented to the text in force and passed the calibration."""

from collections.abc import Callable, Mapping
from typing import Literal

from tasks.models import Membership
from tasks.storing.refusals import Refusal

Missing = Literal["consent", "calibration"]
_SENTENCES: dict[Missing, str] = {
    "consent": "consent to the current text is required before an item can be claimed",
    "calibration": "the calibration must be passed before an item can be claimed",
}


class NotAdmitted(Refusal):
    """The member gets no items yet; `missing` says what they have to do first."""

    def __init__(self, missing: Missing, slug: str) -> None:
        self.missing, self.slug = missing, slug
        super().__init__(_SENTENCES[missing])

    status = 403

    def body(self, address_of: Callable[..., str]) -> Mapping[str, str]:
        """Also what is missing, and the page where it is done."""
        page = address_of(self.missing, self.slug)
        return {"detail": str(self), "missing": self.missing, "url": page}


def what_is_missing(membership: Membership) -> Missing | None:
    """What the member has to do before live work, whatever their role; None if nothing.

    It reads nothing from the database: a membership is loaded with all it takes, and every claim
    asks.
    """
    campaign = membership.campaign
    text = campaign.consent_text_id
    if text is not None and membership.consented_to_id != text:
        return "consent"
    if campaign.requires_calibration and membership.passed_calibration_id is None:
        return "calibration"
    return None


def require_admission(membership: Membership) -> None:
    """Raises NotAdmitted."""
    if missing := what_is_missing(membership):
        raise NotAdmitted(missing, membership.campaign.slug)
