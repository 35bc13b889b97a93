"""The schema describes every call of the API."""

import json
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

pytestmark = pytest.mark.slow


@pytest.fixture
def schema(client: Client) -> dict[str, Any]:
    response = client.get("/api/schema?format=json")
    assert response.status_code == 200
    found: dict[str, Any] = json.loads(response.content)
    return found


@pytest.mark.thorough
def test_schema_is_valid_openapi_31(schema: dict[str, Any]) -> None:
    assert schema["openapi"].startswith("3.1")
    validate_schema(schema)  # type: ignore[no-untyped-call]  # untyped library


def test_schema_names_every_call(schema: dict[str, Any]) -> None:
    operations = {
        operation["operationId"]: sorted(operation["responses"])
        for path in schema["paths"].values()
        for operation in path.values()
    }
    for answers in operations.values():  # what every operation may answer
        answers.remove("401")
        answers.remove("429")
        answers.remove("503")
    assert operations == {
        "account": ["200", "403"],
        "tokens": ["200", "400", "403"],
        "make_token": ["201", "400", "403"],
        "revoke_token": ["204", "403", "404"],
        "campaigns": ["200", "400", "403"],
        "members": ["200", "400", "403", "404"],
        "add_member": ["201", "400", "403", "404", "409"],
        "member": ["200", "400", "403", "404"],
        "change_member": ["200", "400", "403", "404", "409"],
        "invitations": ["200", "400", "403", "404"],
        "invite": ["201", "400", "403", "404"],
        "revoke_invitation": ["204", "400", "403", "404"],
        "export_ratings": ["200", "400", "403", "404", "409"],
        "claim": ["200", "204", "403", "404", "409"],
        "submit_rating": ["200", "201", "400", "403", "404", "409"],
        "assignment": ["200", "404"],
        "draft": ["200", "404"],
        "save_draft": ["200", "400", "404"],
        "raise_flag": ["200", "400", "404"],
        "go_on": ["204", "400", "404"],
        "claim_following": ["200", "204", "400", "403", "404", "409"],
        "skip_item": ["204", "400", "404", "409"],
        "create_campaign": ["201", "400", "403"],
        "campaign": ["200", "404"],
        "change_campaign": ["200", "400", "403", "404"],
        "calibration": ["200", "403", "404"],
        "start_calibration": ["200", "400", "403", "404", "409"],
        "calibration_attempt": ["200", "403", "404"],
        "answer_calibration": ["200", "400", "403", "404", "409"],
        "consent": ["200", "404"],
        "give_consent": ["200", "400", "404", "409"],
        "flags": ["200", "400", "403", "404"],
        "settle_flag": ["200", "400", "403", "404", "409"],
        "generated_texts": ["200", "400", "403", "404"],
        "approve_generated": ["200", "400", "403", "404"],
        "reject_generated": ["200", "400", "403", "404"],
        "guideline_in_force": ["200", "404"],
        "guidelines": ["200", "400", "404"],
        "publish_guideline": ["200", "201", "400", "403", "404"],
        "guideline": ["200", "404"],
        "history": ["200", "400", "404"],
        "import_file": ["200", "400", "403", "404", "409", "411", "413"],
        "items": ["200", "400", "403", "404"],
        "item": ["200", "403", "404"],
        "item_votes": ["200", "403", "404"],
        "ask_for_votes": ["200", "400", "403", "404"],
        "jobs": ["200", "400", "403", "404"],
        "start_job": ["201", "400", "403", "404"],
        "job": ["200", "403", "404"],
        "cancel_job": ["200", "400", "403", "404", "409"],
        "job_failures": ["200", "400", "403", "404"],
        "leave_job": ["200", "400", "403", "404", "409"],
        "retry_job": ["200", "400", "403", "404", "409"],
        "failed_jobs": ["200", "400", "403", "404"],
        "failures": ["200", "400", "403", "404"],
        "queue": ["200", "400", "403", "404"],
        "matchers": ["200", "403", "404"],
        "train_matcher": ["201", "400", "403", "404"],
        "trained_matchers": ["200", "400", "403", "404"],
        "use_matcher": ["201", "400", "403", "404"],
        "ratings": ["200", "400", "403", "404"],
        "calibration_settings": ["200", "403", "404"],
        "set_calibration": ["200", "400", "403", "404", "409"],
        "decide_calibration": ["200", "400", "403", "404", "409"],
        "calibration_standings": ["200", "403", "404"],
        "completion": ["200", "403", "404"],
        "set_completion": ["200", "400", "403", "404"],
        "consent_texts": ["200", "400", "403", "404"],
        "publish_consent_text": ["200", "204", "400", "403", "404"],
        "overlaps": ["200", "403", "404"],
        "change_overlaps": ["200", "400", "403", "404"],
        "agreement": ["200", "403", "404"],
        "adjudications": ["200", "400", "403", "404"],
        "adjudicate": ["200", "201", "400", "403", "404", "409"],
        "first_look": ["201", "400", "403", "404", "409"],
        "adjudication_agreement": ["200", "403", "404"],
        "figures": ["200", "202", "403", "404"],
        "looks": ["200", "400", "403", "404"],
        "alerts": ["200", "400", "403", "404"],
        "acknowledge_alert": ["200", "400", "403", "404", "409"],
        "audit": ["200", "400", "403", "404"],
        "evaluations": ["200", "400", "403", "404"],
        "evaluation": ["200", "403", "404"],
        "alert_rules": ["200", "403", "404"],
        "change_alert_rules": ["200", "400", "403", "404"],
        "alert_channels": ["200", "403", "404"],
        "set_alert_channels": ["200", "400", "403", "404"],
        "try_alert_channels": ["201", "403", "404"],
        "sample_plan": ["200", "202", "400", "403", "404"],
        "rater": ["200", "403", "404"],
        "disagreements": ["200", "400", "403", "404"],
        "label_pair": ["200", "400", "403", "404"],
        "show_votes": ["200", "400", "403", "404"],
        "adjudication_queue": ["200", "400", "403", "404"],
        "next_to_adjudicate": ["200", "204", "403", "404", "409"],
        "item_to_adjudicate": ["200", "400", "403", "404", "409"],
        "leave_item": ["200", "400", "403", "404", "409"],
        "evaluate": ["202", "400", "403", "404"],
        "evaluation_files": ["200", "403", "404"],
        "evaluation_file": ["200", "206", "403", "404", "416"],
        "evaluation_archive": ["200", "403", "404"],
        "datasheet": ["200", "403", "404"],
        "answer_datasheet": ["200", "400", "403", "404"],
        "make_release": ["202", "400", "403", "404", "409"],
        "preview_release": ["200", "202", "400", "403", "404"],
        "release": ["200", "403", "404"],
        "release_archive": ["200", "400", "403", "404", "409", "410"],
        "releases": ["200", "403", "404"],
        "release_file": ["200", "206", "400", "403", "404", "409", "410", "416"],
        "release_changes": ["200", "400", "403", "404", "409", "410"],
        "site_campaigns": ["200", "400", "403"],
        "enter_campaign": ["200", "403", "404"],
        "withdraw_release": ["201", "400", "403", "404", "409"],
        "leaderboard": ["200", "202", "400", "403", "404"],
        "submit_predictions": ["201", "400", "403", "404", "409", "413"],
        "withdraw_submission": ["201", "400", "403", "404", "409"],
        "webhooks": ["200", "400", "403", "404"],
        "add_webhook": ["201", "400", "403", "404"],
        "webhook": ["200", "403", "404"],
        "change_webhook": ["200", "400", "403", "404"],
        "delete_webhook": ["204", "403", "404"],
        "try_webhook": ["202", "403", "404"],
        "webhook_deliveries": ["200", "400", "403", "404"],
    }
