"""The statistical tests of a look at a campaign, each under its name.

A test is called with the campaign and a `Chance`: it may raise a false alarm at most that often,
over everything it tests. Which looks there are is decided in tasks/agreement/workflow/looks.py.
"""

from collections.abc import Callable, Mapping

from tasks.agreement.figures.chance import Chance
from tasks.agreement.figures.suggestion_figures import steering_finding
from tasks.agreement.findings.alpha_finding import alpha_finding
from tasks.agreement.findings.class_findings import confusion_findings
from tasks.agreement.findings.rater_findings import control_findings, drift_findings, speed_findings
from tasks.models import Campaign
from tomahto.types import JsonObject

FINDINGS: Mapping[str, Callable[[Campaign, Chance], JsonObject]] = {
    "alpha": alpha_finding,
    "drift": drift_findings,
    "speed": speed_findings,
    "controls": control_findings,
    "confusions": confusion_findings,
    "steering": steering_finding,
}
