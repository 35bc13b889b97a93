"""Every table is known to belong to a campaign or not."""

from django.apps import apps

from tasks.models import Campaign, Delivery, Message, Rating, Worker
from tasks.models.belonging import keys_from_outside, lookup, owned_models

# what stays when a campaign is removed
OUTLIVING = {
    *("User", "LoginAttempts"),  # people's own
    *("Campaign", "AuditEntry"),  # kept for the audit log
    *("Outcome", "Worker", "SchedulerTick"),  # the site's
}


def test_every_model_belongs_to_a_campaign_or_is_named_here() -> None:
    models = set(apps.get_app_config("tasks").get_models())
    assert {model.__name__ for model in models - set(owned_models())} == OUTLIVING


def test_the_way_to_the_campaign_goes_by_keys_that_are_always_set() -> None:
    ways = {model: [lookup(way) for way in found] for model, found in owned_models().items()}
    assert ways[Rating] == ["item__campaign"]
    assert ways[Message] == ["author__campaign"]
    assert ways[Delivery] == [
        "alert__campaign",
        "event__campaign",
        "webhook__campaign",
        "invitation__campaign",
    ]


def test_what_is_farther_from_the_campaign_comes_first() -> None:
    depths = [len(ways[0]) for ways in owned_models().values()]
    assert depths == sorted(depths, reverse=True)


def test_keys_from_rows_that_stay_can_be_emptied() -> None:
    keys = {(key.model, key.name): key.null for key in keys_from_outside()}
    assert keys == {
        (Campaign, "guideline"): True,
        (Campaign, "consent_text"): True,
        (Worker, "job"): True,
    }
