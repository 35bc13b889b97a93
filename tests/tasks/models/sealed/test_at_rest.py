"""What a copy of the database tells: no secret that somebody could use."""

from base64 import b32encode

import pytest
from django.db import connection

from tasks.access.workflow.two_factor import CodeCheck, begin, new_recovery_codes, verify
from tasks.agreement.workflow.alerts import set_channels
from tasks.events.workflow.webhooks import add_webhook, change_webhook, delete_webhook
from tasks.models import AlertChannels, AuthenticatorApp, Campaign, RecoveryCodes, Webhook
from tasks.models.sealed.field import seal_texts, sealed_columns
from tests.factories import make_campaign, make_user

HOOK, ALERTS = "https://hooks.example/T0/B0/pathsecret", "https://alerts.example/othersecret"


@pytest.fixture
def campaign(db: None) -> Campaign:
    return make_campaign("rivers")


def all_texts() -> str:
    """Every value of every table."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            found += [str(row) for row in cursor.fetchall()]
    return "\n".join(found)


def test_no_secret_stands_in_the_database(campaign: Campaign) -> None:
    webhook = add_webhook(campaign=campaign, url=HOOK, events=["job.done"])
    own = "one of the admin's own"
    change_webhook(
        webhook=add_webhook(campaign=campaign, url=HOOK, events=["job.done"]), secret=own
    )
    signing = set_channels(campaign=campaign, sends_mail=False, webhook_url=ALERTS)
    user = make_user("pine")
    begin(user=user)
    key = AuthenticatorApp.objects.get().bin_key
    codes = [code.replace("-", "") for code in new_recovery_codes(user=user)]
    secrets = [HOOK, ALERTS, "pathsecret", webhook.secret, own, signing, *codes]
    secrets += [key.hex(), b32encode(key).decode()]
    there = all_texts()
    assert "pine" in there  # the search finds what is there
    assert [secret for secret in secrets if secret in there] == []
    # and all of it is read again
    assert {each.secret for each in Webhook.objects.all()} == {webhook.secret, own}
    channels = AlertChannels.objects.get()
    assert (channels.webhook_url, channels.webhook_secret) == (ALERTS, signing)


def test_the_columns_that_are_sealed() -> None:
    named = {f"{model._meta.db_table}.{field.column}" for model, field in sealed_columns()}
    assert named == {
        "tasks_alertchannels.webhook_secret",
        "tasks_alertchannels.webhook_url",
        "tasks_authenticatorapp.sealed_key",
        "tasks_webhook.secret",
        "tasks_webhook.url",
    }


def test_another_webhooks_secret_is_of_no_use_in_this_row(campaign: Campaign) -> None:
    first = add_webhook(campaign=campaign, url=HOOK, events=["job.done"])
    second = add_webhook(campaign=campaign, url=HOOK, events=["job.done"])
    Webhook.objects.filter(pk=second.pk).update(sealed_secret=first.sealed_secret)
    second.refresh_from_db()
    assert (second.secret, second.is_readable, first.is_readable) == ("", False, True)


def test_another_persons_app_is_of_no_use_in_this_row(db: None) -> None:
    """Whoever can write to the database copies the key of their own app."""
    for name in ("pine", "oak"):
        begin(user=make_user(name))
    mine, theirs = AuthenticatorApp.objects.order_by("pk")
    AuthenticatorApp.objects.filter(pk=theirs.pk).update(sealed_key=mine.sealed_key)
    theirs.refresh_from_db()
    assert (theirs.is_readable, theirs.verify_token("123456")) == (False, False)


def test_a_deleted_webhook_leaves_no_secret(campaign: Campaign) -> None:
    delete_webhook(webhook=add_webhook(campaign=campaign, url=HOOK, events=["job.done"]))
    left = Webhook.objects.get()
    assert (left.sealed_url, left.sealed_secret) == ("", "")


def test_nothing_is_sealed_for_a_row_that_has_no_key_yet(campaign: Campaign) -> None:
    with pytest.raises(ValueError, match="not stored yet"):
        seal_texts(Webhook(campaign=campaign), sealed_url=HOOK)


def test_a_recovery_code_is_good_once(db: None) -> None:
    user = make_user("pine")
    first, second, *_others = new_recovery_codes(user=user)
    assert [verify(user=user, code=code) for code in (first, first)] == [
        CodeCheck.RIGHT,
        CodeCheck.WRONG,
    ]
    RecoveryCodes.objects.update(throttling_failure_count=0, throttling_failure_timestamp=None)
    assert verify(user=user, code=second) is CodeCheck.RIGHT
    assert len(RecoveryCodes.objects.get().digests) == 6
