"""The page of imports: its examples are files that it takes."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tasks.intake.pages import example_of
from tests.factories import make_campaign, make_member
from tests.tasks.browsers import signed_in


@pytest.mark.parametrize("protocol", ["ae", "cap", "statement", "rules"])
def test_every_example_is_imported_and_leads_on(db: None, protocol: str) -> None:
    campaign = make_campaign("rivers", protocol=protocol)
    browser = signed_in(make_member(campaign, "admin"))
    for kind in ("items", "questions", "predictions", "ratings"):
        suffix = "json" if kind == "predictions" else "csv"
        text = example_of(kind, campaign)
        file = SimpleUploadedFile(f"example.{suffix}", text.encode())
        fields = {"kind": kind, f"{kind}-file": file, f"{kind}-system": "my-system"}
        page = browser.post("/c/rivers/import/?votes=seen", fields)
        assert page.status_code == 200, page.content.decode()
        assert 'href="/c/rivers/">Show the next steps' in page.content.decode()
    purposes = sorted(campaign.items.values_list("purpose", flat=True))
    assert purposes == ["calibration", "live", "live"]
    assert campaign.memberships.filter(name="ann").count() == 1
