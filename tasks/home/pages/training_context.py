"""What the settings page shows about consent and calibration."""

from tasks.home.training_forms import CalibrationForm, ConsentTextForm
from tasks.models import Campaign
from tasks.training.queries import calibration_items, member_standings

CONSENT_IDS = "consent-%s"
CALIBRATION_IDS = "calibration-%s"


def training_context(campaign: Campaign) -> dict[str, object]:
    """Both forms as they stand, and how everybody stands once there is something to pass."""
    items = calibration_items(campaign).count()
    text = campaign.consent_text.text if campaign.consent_text else ""
    return {
        "consent_form": ConsentTextForm(auto_id=CONSENT_IDS, initial={"text": text}),
        "calibration_form": CalibrationForm(
            auto_id=CALIBRATION_IDS,
            initial={
                "is_required": campaign.requires_calibration,
                "pass_percent": campaign.calibration_pass_percent,
                "attempts": campaign.calibration_attempts,
            },
        ),
        "calibration_items": items,
        "standings": member_standings(campaign) if items else [],
    }
