"""The schema describes every call of the API."""

import json
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.validation import validate_schema

pytestmark = pytest.mark.slow


# names of operations by what they answer; every one may answer 401, 429 and 503 as well
ANSWERS = {
    "200 201 400 403 404 409": (
        "act_on_items adjudicate publish_guideline start_thread submit_rating"
    ),
    "200 201 400 404 409": "write_message",
    "200 202 400 403 404 409": "figures leaderboard preview_release sample_plan",
    "200 204 400 403 404 409": "claim_following publish_consent_text",
    "200 204 403 404 409": "claim next_to_adjudicate",
    "200 206 400 403 404 409 410 416": "release_file",
    "200 206 400 403 404 409 416": "evaluation_file",
    "200 400": "deleted_campaigns inbox read_inbox",
    "200 400 403": "campaigns change_account site_campaigns tokens",
    "200 400 403 404": (
        "adjudication_queue adjudications agreement archive_campaign ask_for_votes audit "
        "consent_texts disagreements failed_jobs failures flags generated_texts invitations "
        "invitees ratings_to_set_aside set_asides "
        "item_acts item_tags item_views items job_failures jobs label_pair matchers member members "
        "queue ratings reopen_campaign show_votes webhook_deliveries webhooks"
    ),
    "200 400 403 404 409": (
        "acknowledge_alert alerts answer_calibration answer_datasheet approve_generated cancel_job "
        "change_alert_rules change_campaign change_member change_overlaps change_webhook "
        "decide_calibration evaluation evaluation_archive evaluation_files evaluations "
        "export_ratings item_to_adjudicate items_file leave_item leave_job looks "
        "preview_act_on_items rater reject_generated release releases retry_job set_alert_channels "
        "send_invitation_again set_calibration set_completion settle_flag share_answer "
        "start_calibration "
        "trained_matchers undo_act_on_items undo_set_aside"
    ),
    "200 400 403 404 409 410": "release_archive release_changes",
    "200 400 403 404 409 411 413": "import_file",
    "200 400 404": "answers guidelines history messages threads",
    "200 400 404 409": "give_consent raise_flag restore_campaign save_draft",
    "200 403": "account",
    "200 403 404": (
        "adjudication_agreement alert_channels alert_rules calibration calibration_attempt "
        "calibration_settings calibration_standings completion datasheet enter_campaign item "
        "item_act item_votes job overlaps webhook"
    ),
    "200 404": "assignment campaign consent draft guideline guideline_in_force",
    "201 400 403": "create_campaign make_token",
    "201 400 403 404": "copy_campaign",
    "201 400 403 404 409": (
        "add_member add_webhook first_look invite invite_by_mail save_item_view start_job "
        "train_matcher "
        "set_ratings_aside use_matcher withdraw_release withdraw_submission"
    ),
    "201 400 403 404 409 413": "submit_predictions",
    "201 403 404 409": "try_alert_channels",
    "202 400 403 404 409": "evaluate make_release",
    "202 403 404 409": "try_webhook",
    "204 400 403 404": "delete_campaign",
    "204 400 403 404 409": "revoke_invitation",
    "204 400 404 409": "go_on skip_item",
    "204 403 404": "revoke_token",
    "204 403 404 409": "delete_webhook remove_item_view",
}


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
    expected = {name: answers for answers, names in ANSWERS.items() for name in names.split()}
    assert {name: " ".join(answers) for name, answers in operations.items()} == expected
