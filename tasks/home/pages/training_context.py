"""Consent and calibration on the settings page."""

from tasks.home.training_forms import CalibrationForm, ConsentTextForm
from tasks.models import Campaign
from tasks.training.queries import calibration_items, member_standings

CONSENT_IDS = "consent-%s"
CALIBRATION_IDS = "calibration-%s"


def consent_form(campaign: Campaign) -> ConsentTextForm:
    """With the text that members are asked to accept."""
    text = campaign.consent_text.text if campaign.consent_text else ""
    return ConsentTextForm(auto_id=CONSENT_IDS, initial={"text": text})


def calibration_form(campaign: Campaign) -> CalibrationForm:
    """With the rules of the campaign."""
    initial = {
        "is_required": campaign.requires_calibration,
        "pass_percent": campaign.calibration_pass_percent,
        "attempts": campaign.calibration_attempts,
    }
    return CalibrationForm(auto_id=CALIBRATION_IDS, initial=initial)


def standings_context(campaign: Campaign) -> dict[str, object]:
    """How many calibration items there are, and how members did with them."""
    items = calibration_items(campaign).count()
    standings = member_standings(campaign) if items else []
    return {"calibration_items": items, "standings": standings}
