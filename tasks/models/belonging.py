"""The rows of a campaign: the foreign keys of the models lead to them, so that no table can be
forgotten when a campaign is removed."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from django.apps import apps
from django.db.models import ForeignKey, Model

from tasks.models.audit import AuditEntry
from tasks.models.campaign import Campaign
from tasks.models.job import Worker

Way = tuple["ForeignKey[Any, Any]", ...]
"""Foreign keys from a row to its campaign, one after another."""

OUTLIVING: Final = (Campaign, AuditEntry, Worker)
"""Models that point at campaigns, or at what belongs to one, and belong to none."""


@cache
def owned_models() -> Mapping[type[Model], tuple[Way, ...]]:
    """Every model whose rows belong to a campaign, those that are farthest from it first.

    A row has one way to its campaign; several are named where each of them may be missing.
    """
    owned: dict[type[Model], tuple[Way, ...]] = {Campaign: ((),)}
    while more := _next(owned):
        owned |= more
    del owned[Campaign]
    return dict(sorted(owned.items(), key=lambda item: -len(item[1][0])))


def lookup(way: Way) -> str:
    """The way as filters name it."""
    return "__".join(key.name for key in way)


def keys_from_outside() -> Iterator["ForeignKey[Any, Any]"]:
    """Foreign keys of rows that stay, at rows that go with a campaign."""
    for model in apps.get_app_config("tasks").get_models():
        if model not in owned_models():
            yield from (key for key in _keys(model) if key.related_model in owned_models())


def _next(owned: Mapping[type[Model], tuple[Way, ...]]) -> dict[type[Model], tuple[Way, ...]]:
    """Models that point at these: by keys that are always set, or else by others."""
    left = [
        model
        for model in apps.get_app_config("tasks").get_models()
        if model not in owned and model not in OUTLIVING
    ]
    ways = {model: list(_ways(model, owned, can_miss=False))[:1] for model in left}
    if not any(ways.values()):
        ways = {model: list(_ways(model, owned, can_miss=True)) for model in left}
    return {model: tuple(some) for model, some in ways.items() if some}


def _ways(
    model: type[Model], owned: Mapping[type[Model], tuple[Way, ...]], *, can_miss: bool
) -> Iterator[Way]:
    """The shortest first."""
    keys = [key for key in _keys(model) if key.null == can_miss and key.related_model in owned]
    for key in sorted(keys, key=lambda key: len(owned[key.related_model][0])):
        yield from ((key, *rest) for rest in owned[key.related_model])


def _keys(model: type[Model]) -> Iterator["ForeignKey[Any, Any]"]:
    return (key for key in model._meta.concrete_fields if isinstance(key, ForeignKey))
