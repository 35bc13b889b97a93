"""A campaign like another: its settings and texts, and if wanted its questions and items."""

from collections.abc import Mapping, Sequence
from typing import Final

from django.db import connection, models, transaction

from tasks.campaigns.queries.wordings import wording_in_force, wordings_in_force
from tasks.campaigns.workflow.campaign import add_member, create_campaign, publish_guideline
from tasks.campaigns.workflow.slots import fit_campaign
from tasks.campaigns.workflow.wording import publish_wording
from tasks.models import (
    AlertRule,
    AuditAction,
    Campaign,
    CampaignState,
    Candidate,
    Document,
    ExpectedAnswer,
    Item,
    ItemSystem,
    Membership,
    Question,
    Role,
    System,
    User,
)
from tasks.people.workflow.consent import publish_consent_text
from tasks.prefill.queries.trained_matchers import usable_matchers
from tasks.storing.acts import record

COPIED: Final = (
    "description",
    "protocol",
    "overlap",
    "suggestions",
    "suggestion_matcher",
    "lease_minutes",
    "visitor_lease_minutes",
    "visitors_per_address",
    "visitors_per_link",
    "item_order",
    "rater_quota",
    "control_every",
    "shows_differences",
    "adjudicates_blind",
    "passages_are_markdown",
    "requires_calibration",
    "calibration_pass_percent",
    "calibration_attempts",
    "seed",
    "language",
    "licence",
)
"""The fields of a campaign that its copy has too; the texts in force are published anew."""

NOT_COPIED: Final = {
    "id": "its own",
    "slug": "its own",
    "title": "its own",
    "state": "a copy is paused, so that its admins look at it first",
    "guideline": "published anew",
    "consent_text": "published anew",
    "wordings_in_force": "published anew",
    "completion_code": "a code belongs to one study of a crowd service",
    "completion_url": "as the code",
    "webhook_events": "webhooks have secrets, and are not copied",
    "intakes": "counts its own changes",
    "deleted_at": "its own life",
    "removed_at": "its own life",
    "created_by": "who copies it",
    "created_at": "now",
}
"""The other fields of a campaign, each with why its copy has not the same."""

# with the foreign keys by whose new rows the copies are found: model, and by which columns
_CONTENT: Final[Sequence[tuple[type[models.Model], Mapping[str, type[models.Model]]]]] = (
    (Document, {}),
    (Question, {"document": Document}),
    (System, {}),
    (Candidate, {"system": System, "question": Question}),
    (Item, {"question": Question}),
    (ItemSystem, {"item": Item, "system": System}),
    (ExpectedAnswer, {"item": Item}),
)
_KEYS: Final = {Document: "key", Question: "key", System: "name", Item: "key"}


@transaction.atomic
def copy_campaign(
    *,
    source: Campaign,
    slug: str,
    title: str,
    with_items: bool = False,
    with_admins: bool = False,
    by: User,
) -> Campaign:
    """A new campaign, paused, with the settings, guidelines, consent text, rules of training and of
    alerts of another; `by` is its admin.

    with_items: also its questions, systems, candidates, items and expected answers, without
        anything that people or matchers said of them.
    with_admins: the other active admins of the source are admins of the copy too.

    A calibration is required only if the items that it needs come along, and a matcher is kept
    only if it can be used without the source. Raises ValidationError naming the field.
    """
    made = create_campaign(
        slug=slug, title=title, protocol=source.protocol, overlap=source.overlap, created_by=by
    )
    for name in COPIED:
        setattr(made, name, getattr(source, name))
    made.state = CampaignState.PAUSED
    made.requires_calibration = source.requires_calibration and with_items
    if source.suggestion_matcher not in usable_matchers(made):
        made.suggestion_matcher = Campaign._meta.get_field("suggestion_matcher").get_default()
    made.full_clean()
    made.save()
    if source.guideline:
        publish_guideline(campaign=made, text=source.guideline.text)
    if source.consent_text:
        publish_consent_text(campaign=made, text=source.consent_text.text)
    for language in wordings_in_force(source):
        if wording := wording_in_force(source, language):
            publish_wording(campaign=made, language=language, texts=wording.texts)
    rules = AlertRule.objects.filter(campaign=source)
    for rule in rules:
        rule.pk, rule.campaign = None, made
    AlertRule.objects.bulk_create(rules)
    if with_admins:
        _add_admins(source, made, by)
    if with_items:
        for model, ways in _CONTENT:
            _copy_rows(model, ways, source, made)
        fit_campaign(campaign=made)
    details = {"copy": made.slug, "items": with_items, "admins": with_admins}
    record(
        AuditAction.CAMPAIGN_COPIED,
        campaign=source,
        subject=("campaign", source.slug),
        details=details,
    )
    return made


def _add_admins(source: Campaign, made: Campaign, by: User) -> None:
    admins = Membership.objects.filter(
        campaign=source, role=Role.ADMIN, is_active=True, user__is_active=True
    ).exclude(user=by)
    for admin in admins.select_related("user").order_by("pk"):
        assert admin.user is not None  # noqa: S101 - as the filter says
        add_member(campaign=made, user=admin.user, role=Role.ADMIN)


def _copy_rows(
    model: type[models.Model],
    ways: Mapping[str, type[models.Model]],
    source: Campaign,
    made: Campaign,
) -> None:
    """One statement for all rows, however many; new rows are found by the keys of the old ones."""
    table = model._meta.db_table
    columns, values, joins, parameters = [], [], [], []
    for field in model._meta.concrete_fields:
        if field.primary_key or field.name == "created_at":
            continue
        columns.append(f'"{field.column}"')
        if field.name == "campaign":
            values.append(str(int(made.pk)))
        elif field.name in ways:
            values.append(f"new_{field.name}.id")
        else:
            values.append(f'old."{field.column}"')
    for name, other in ways.items():
        place, key = other._meta.db_table, _KEYS[other]
        joins.append(
            f'JOIN {place} old_{name} ON old_{name}.id = old."{name}_id"'
            f" JOIN {place} new_{name} ON new_{name}.{key} = old_{name}.{key}"
            f" AND new_{name}.campaign_id = %s"
        )
        parameters.append(made.pk)
    own = "old" if any(field.name == "campaign" for field in model._meta.fields) else None
    owner = f"{own or f'old_{next(iter(ways))}'}.campaign_id"
    statement = (
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)}"  # noqa: S608 - ours
        f" FROM {table} old {' '.join(joins)} WHERE {owner} = %s ORDER BY old.id"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [*parameters, source.pk])
