"""Reasons in words why something cannot be stored: refusals of the workflow, archived
campaigns, places that others are claiming, a database that does not answer."""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, TypeVar

from django.db import IntegrityError, OperationalError

from tasks.models import AuditAction, Campaign, CampaignState


class Refusal(Exception):
    """It cannot be done as things stand; the message says why."""

    status: int = 409

    def body(self, address_of: Callable[..., str]) -> Mapping[str, str]:  # noqa: ARG002 - for those that name a page
        """The answer to a call; `address_of` gives the absolute address of a page by its name."""
        return {"detail": str(self)}

    def headers(self) -> Mapping[str, str]:
        return {}


ALLOWED: Final = frozenset(
    {
        AuditAction.CAMPAIGN_COPIED,
        AuditAction.DATA_COPIED,
        AuditAction.CAMPAIGN_ARCHIVED,
        AuditAction.CAMPAIGN_DELETED,
        AuditAction.CAMPAIGN_RESTORED,
        AuditAction.CAMPAIGN_REMOVED,
        # reading, and releases of what there is
        AuditAction.OPERATOR_ENTERED,
        AuditAction.EXPORT_TAKEN,
        AuditAction.RELEASE_DOWNLOADED,
        AuditAction.RELEASE_MADE,
        AuditAction.RELEASE_WITHDRAWN,
        # ending access and work
        AuditAction.MEMBER_DEACTIVATED,
        AuditAction.JOB_CANCELLED,
        # accounts and tokens, which are the people's own
        AuditAction.TOKEN_MADE,
        AuditAction.TOKEN_REVOKED,
    }
)
"""All that may still be done in one. CAMPAIGN_REOPENED is recorded when it is open again."""


class CampaignArchived(Refusal, ValueError):
    """Something would have changed an archived campaign, which is `campaign`."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        super().__init__(
            f"the campaign {campaign.slug} is archived and read-only; "
            "an admin can reopen it in its settings"
        )


def require_not_archived(campaign: Campaign) -> None:
    """As the campaign was read. Raises CampaignArchived."""
    if campaign.is_archived:
        raise CampaignArchived(campaign)


def require_allowed(action: AuditAction, campaign: Campaign) -> None:
    """As the campaign is now, for an act that is about to be stored. Raises CampaignArchived."""
    archived = Campaign.objects.filter(pk=campaign.pk, state=CampaignState.ARCHIVED)
    if action not in ALLOWED and archived.exists():
        raise CampaignArchived(campaign)


_TIMES: Final = 3
_T = TypeVar("_T")


class InTheWay(Refusal):
    """Others keep working on the items at the very moment."""


def again_if_in_the_way(work: Callable[[], _T]) -> _T:
    """A place that an act takes away may be claimed before it is stored (PostgreSQL). Raises
    InTheWay if that happens again and again."""
    for _time in range(_TIMES):
        with suppress(IntegrityError):
            return work()
    raise InTheWay("others are working on these items at this very moment; try again")


TRY_AGAIN_AFTER = "5"  # seconds
_AWAY = "the database is busy or cannot be reached; try again in a few seconds"
_TOO_LONG = "the database took too long and the call was stopped; try again later"
_CANCELLED = "57014"  # PostgreSQL's code for what a limit ended


def is_outage(error: BaseException | None) -> bool:
    """Whether the database was gone, busy for too long, full or out of connections, or was stopped.

    What was asked has not been answered, and may be asked again. SQLite has the same error for a
    statement that is wrong, and that one stays wrong.
    """
    if not isinstance(error, OperationalError):
        return False
    return getattr(error.__cause__, "sqlite_errorcode", None) != sqlite3.SQLITE_ERROR


def took_too_long(error: BaseException | None) -> bool:
    """Whether the database was there, and was stopped while it looked for the answer."""
    return getattr(getattr(error, "__cause__", None), "sqlstate", None) == _CANCELLED


def detail_of(error: BaseException | None) -> str:
    return _TOO_LONG if took_too_long(error) else _AWAY


_NUL_SHOWN = "\N{SYMBOL FOR NULL}"
_MORE = "…"


def as_reason(text: str, limit: int) -> str:
    """The text within `limit` characters; what no database takes is shown by signs, not lost.

    PostgreSQL stores no NUL, and no database half a surrogate pair: models' replies and the
    messages of libraries may hold both.
    """
    whole = text.strip().replace("\0", _NUL_SHOWN).encode(errors="replace").decode()
    shown = whole or "no reason given"
    return shown if len(shown) <= limit else shown[: limit - len(_MORE)].rstrip() + _MORE
