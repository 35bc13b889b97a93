"""A campaign like another: its settings and texts, some of its members, and its data if wanted."""

from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db import transaction
from django.db.models import ForeignKey, Model, TextChoices
from django.utils.translation import gettext_lazy as _

from tasks.access.queries import is_crowd_account
from tasks.campaigns.workflow.campaign import add_member, create_campaign, publish_guideline
from tasks.campaigns.workflow.slots import fit_campaign
from tasks.jobs.workflow.jobs import report_progress, start_job
from tasks.models import (
    UNFINISHED,
    AlertRule,
    AuditAction,
    Campaign,
    CampaignState,
    Candidate,
    Document,
    ExpectedAnswer,
    Item,
    ItemSystem,
    Job,
    JobKind,
    Membership,
    Question,
    System,
    User,
)
from tasks.models.belonging import lookup, owned_models
from tasks.people.workflow.members import publish_consent_text
from tasks.prefill.queries.matchers import usable_matchers
from tasks.storing.acts import record
from tasks.storing.database import allow_long_statements, execute, refresh_after_commit
from tasks.storing.plan import count_change


class CopiedData(TextChoices):
    """The part of a campaign's data that its copy gets; nothing that people or models said of
    it."""

    NONE = "none", _("None")
    QUESTIONS = "questions", _("Documents and questions")
    ITEMS = "items", _("Documents, questions, systems, candidates and items")


class CopyRefused(ValueError):
    """The data cannot be copied; the message says why."""


OWN: Final = frozenset(
    {
        *("id", "slug", "title", "created_by", "created_at", "pseudonym_secret", "intakes"),
        *("state", "deleted_at", "removed_at"),  # a copy is paused, so that admins look at it first
        *("guideline", "consent_text"),  # published as its own first versions
        *("completion_code", "completion_url"),  # a code belongs to one study of a crowd service
        "webhook_events",  # webhooks have secrets
    }
)
"""The fields of a campaign that its copy does not get."""

# each after those that it points at
DATA: Final[Mapping[CopiedData, tuple[type[Model], ...]]] = {
    CopiedData.NONE: (),
    CopiedData.QUESTIONS: (Document, Question),
    CopiedData.ITEMS: (Document, Question, System, Candidate, Item, ItemSystem, ExpectedAnswer),
}
_KEYS: Final[Mapping[Any, str]] = {Document: "key", Question: "key", System: "name", Item: "key"}


@transaction.atomic
def copy_campaign(
    *,
    source: Campaign,
    slug: str,
    title: str,
    content: str = CopiedData.NONE,
    roles: Collection[str] = (),
    by: User,
) -> tuple[Campaign, Job | None]:
    """A paused campaign with the settings, guidelines, consent text and alert rules of another, and
    the job that copies its data, if any is wanted.

    `by` is its admin. Active members of the source in these `roles` are members of the copy, but
    for a crowd service's visitors. A calibration is required only if its items come along, and a
    matcher is kept only if the copy can use it. Raises ValidationError naming the field.
    """
    made = create_campaign(
        slug=slug, title=title, protocol=source.protocol, overlap=source.overlap, created_by=by
    )
    for field in Campaign._meta.concrete_fields:
        if field.name not in OWN:
            setattr(made, field.name, getattr(source, field.name))
    made.state = CampaignState.PAUSED
    made.requires_calibration = source.requires_calibration and content == CopiedData.ITEMS
    if source.suggestion_matcher not in usable_matchers(made):
        made.suggestion_matcher = Campaign._meta.get_field("suggestion_matcher").get_default()
    made.full_clean()
    made.save()
    if source.guideline:
        publish_guideline(campaign=made, text=source.guideline.text)
    if source.consent_text:
        publish_consent_text(campaign=made, text=source.consent_text.text)
    rules = AlertRule.objects.filter(campaign=source)
    for rule in rules:
        rule.pk, rule.campaign = None, made
    AlertRule.objects.bulk_create(rules)
    members = _add_members(source, made, roles, by)
    _record_both(
        AuditAction.CAMPAIGN_COPIED, source, made, {"members": members, "content": str(content)}
    )
    if content == CopiedData.NONE:
        return made, None
    parameters = {"name": source.slug, "source": source.pk, "content": str(content)}
    return made, start_job(campaign=made, kind=JobKind.COPY, parameters=parameters, created_by=by)


def _add_members(source: Campaign, made: Campaign, roles: Collection[str], by: User) -> int:
    """Their number, `by` not counted."""
    members = Membership.objects.filter(
        campaign=source, role__in=roles, is_active=True, user__is_active=True
    )
    added = 0
    for member in members.exclude(user=by).select_related("user").order_by("pk"):
        if member.user is not None and not is_crowd_account(member.user):
            add_member(campaign=made, user=member.user, role=member.role)
            added += 1
    return added


def copy_data(*, job: Job) -> dict[str, int]:
    """Do a job of `copy_campaign`, all or nothing; the number of rows by kind.

    Raises CopyRefused if the source is gone, or if the copy has got data of its own meanwhile.
    """
    made = job.campaign
    source = Campaign.objects.filter(pk=job.parameters["source"], removed_at=None).first()
    if source is None:
        raise CopyRefused(f"{job.parameters['name']} has been deleted")
    if Job.objects.filter(campaign=source, kind=JobKind.COPY, state__in=UNFINISHED).exists():
        raise CopyRefused(f"{source.slug} is still getting its own data; try again after that")
    models = DATA[CopiedData(job.parameters["content"])]
    if job.done and job.done == job.total:  # by a worker that died before it could say so
        return _counts(made, models)
    with transaction.atomic():
        allow_long_statements()
        count_change(made)
        if any(_counts(made, models).values()):
            raise CopyRefused(f"{made.slug} has data of its own by now")
        for model in models:
            _copy_rows(model, source, made)
        fit_campaign(campaign=made)
        counts = _counts(made, models)
        total = sum(counts.values())
        report_progress(job=job, done=total, total=total)
        _record_both(AuditAction.DATA_COPIED, source, made, counts)
    refresh_after_commit()
    return counts


def _counts(campaign: Campaign, models: Collection[type[Model]]) -> dict[str, int]:
    return {
        model._meta.model_name or "": model._base_manager.filter(
            **{lookup(owned_models()[model][0]): campaign}
        ).count()
        for model in models
    }


def _record_both(
    action: AuditAction, source: Campaign, made: Campaign, details: Mapping[str, Any]
) -> None:
    """In each campaign's log, naming the other."""
    record(action, campaign=source, subject=("to campaign", made.slug), details=details)
    record(action, campaign=made, subject=("from campaign", source.slug), details=details)


def _copy_rows(model: type[Model], source: Campaign, made: Campaign) -> None:
    """All of them by one statement; rows that they point at are found by their keys, which the
    copies share. Control items made of rated ones stay behind: they know what raters said."""
    table, columns, values, joins = model._meta.db_table, [], [], ""
    is_own = ""
    for field in model._meta.concrete_fields:
        if field.primary_key or field.name == "created_at":
            continue
        if field.related_model is model:
            is_own = f' AND old."{field.column}" IS NULL'
            continue
        columns.append(f'"{field.column}"')
        if field.related_model is Campaign:
            values.append(str(int(made.pk)))
        elif field.related_model in _KEYS:
            values.append(f"new_{field.name}.id")
            joins += _join(field, made)
        else:
            values.append(f'old."{field.column}"')
    way = owned_models()[model][0]
    owner = "old" if len(way) == 1 else f"old_{way[0].name}"
    statement = (
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {table} old"  # noqa: S608 - names of ours
        f"{joins} WHERE {owner}.campaign_id = {int(source.pk)}{is_own} ORDER BY old.id"
    )
    execute(statement)


def _join(field: Any, made: Campaign) -> str:
    """With the row that an old row points at, and with its copy."""
    assert isinstance(field, ForeignKey)  # noqa: S101 - as callers ask
    old, new = f"old_{field.name}", f"new_{field.name}"
    table, key = field.related_model._meta.db_table, _KEYS[field.related_model]
    return (
        f' JOIN {table} {old} ON {old}.id = old."{field.column}"'
        f" JOIN {table} {new} ON {new}.{key} = {old}.{key} AND {new}.campaign_id = {int(made.pk)}"
    )
