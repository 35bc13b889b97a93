"""Every address of the site, who may use it and by which methods."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tasks.models import Membership

PEOPLE = (
    *("nobody", "stranger", "elsewhere", "former", "rater", "researcher", "admin"),
    *("operator", "entered"),  # of the site: in no campaign, and come in as admin
)
ANYBODY = frozenset(PEOPLE)
USERS = ANYBODY - {"nobody"}
MEMBERS = frozenset({"rater", "researcher", "admin", "entered"})
RESULTS = frozenset({"researcher", "admin", "entered"})
ADMINS = frozenset({"admin", "entered"})
OPERATORS = frozenset({"operator", "entered"})
ENTERED = frozenset({"entered"})

READ, WRITE, BOTH = ("GET",), ("POST",), ("GET", "POST")
PUT, PATCH = ("GET", "PUT"), ("GET", "PATCH")
ALL_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class Row(NamedTuple):
    """The roles that may use an address, and its methods; `changers` where fewer may change than
    read."""

    people: frozenset[str]
    methods: tuple[str, ...]
    changers: frozenset[str] | None = None

    def admits(self, who: str, method: str) -> bool:
        people = self.people if method == "GET" or self.changers is None else self.changers
        return who in people


ROWS = {
    "healthz": Row(ANYBODY, ALL_METHODS),
    "readyz": Row(ANYBODY, ALL_METHODS),
    "language": Row(ANYBODY, ALL_METHODS),
    "api-schema": Row(ANYBODY, READ),
    "documents": Row(ANYBODY, READ),
    "document": Row(ANYBODY, READ),
    "document-image": Row(ANYBODY, READ),
    "login": Row(ANYBODY, (*BOTH, "PUT")),
    "login-code": Row(ANYBODY, BOTH),
    "logout": Row(ANYBODY, WRITE),
    "signed-in": Row(USERS, READ),
    "password_reset": Row(ANYBODY, BOTH),
    "password_reset_done": Row(ANYBODY, READ),
    "password_reset_complete": Row(ANYBODY, READ),
    "password_reset_confirm": Row(ANYBODY, ALL_METHODS),  # a link that is not valid says so
    "join-form": Row(ANYBODY, BOTH),
    "join": Row(ANYBODY, READ),
    "crowd": Row(ANYBODY, READ),
    "home": Row(USERS, READ),
    "find": Row(USERS, READ),
    "account": Row(USERS, BOTH),
    "message-mails": Row(USERS, WRITE),
    "inbox": Row(USERS, BOTH),
    "inbox-stop-mails": Row(ANYBODY, BOTH),  # a link that is not valid is not there
    "token-new": Row(USERS, WRITE),
    "token-revoke": Row(USERS, WRITE),
    "two-factor": Row(USERS, BOTH),
    "two-factor-qr": Row(USERS, READ),
    "password_change": Row(USERS, (*BOTH, "PUT")),
    "password_change_done": Row(USERS, READ),
    "campaign-new": Row(OPERATORS, BOTH),
    "campaign-enter": Row(OPERATORS, BOTH),
    "demo-load": Row(OPERATORS, WRITE),
    "campaigns-deleted": Row(USERS, READ),
    "campaign-restore": Row(USERS, WRITE),  # 404 for whom may not
    "api-deleted-campaigns": Row(USERS, READ),
    "api-campaign-restoration": Row(USERS, WRITE),
    "api-site-campaigns": Row(OPERATORS, READ),
    "api-campaign-enter": Row(OPERATORS, WRITE),
    "api-account": Row(USERS, PATCH),
    "api-inbox": Row(USERS, READ),
    "api-inbox-read": Row(USERS, WRITE),
    "api-tokens": Row(USERS, BOTH),
    "api-token": Row(USERS, ("DELETE",)),
    "api-members": Row(ADMINS, BOTH),
    "api-member": Row(ADMINS, ("GET", "PATCH")),
    "api-invitations": Row(ADMINS, BOTH),
    "api-invitation": Row(ADMINS, ("DELETE",)),
    "api-invitees": Row(ADMINS, BOTH),
    "api-invitation-again": Row(ADMINS, WRITE),
    "api-rating": Row(USERS, WRITE),  # of one's own assignments
    "api-claim": Row(MEMBERS, WRITE),
    "api-assignment": Row(USERS, READ),  # of one's own, as all of assignments
    "api-draft": Row(USERS, PUT),
    "api-skip": Row(USERS, WRITE),
    "api-flag": Row(USERS, WRITE),
    "api-go-on": Row(USERS, WRITE),
    "api-following": Row(USERS, WRITE),
    "api-answers": Row(USERS, READ),
    "api-threads": Row(MEMBERS, BOTH, ADMINS),
    "api-messages": Row(MEMBERS, BOTH),
    "api-answer-share": Row(ADMINS, WRITE),
    "api-history": Row(MEMBERS, READ),
    "api-guideline-in-force": Row(MEMBERS, READ),
    "api-consent": Row(MEMBERS, BOTH),
    "api-calibration": Row(MEMBERS, BOTH),
    "api-calibration-attempt": Row(MEMBERS, READ),
    "api-calibration-answers": Row(MEMBERS, WRITE),
    "api-campaigns": Row(USERS, BOTH, OPERATORS),
    "api-campaign": Row(MEMBERS, PATCH, ADMINS),
    "api-campaign-copies": Row(ENTERED, WRITE),  # of admins those of the site's staff
    "api-campaign-archive": Row(ADMINS, WRITE),
    "api-campaign-reopen": Row(ADMINS, WRITE),
    "api-campaign-deletion": Row(ADMINS, WRITE),
    "api-guidelines": Row(MEMBERS, BOTH, ADMINS),
    "api-guideline": Row(MEMBERS, READ),
    "api-consent-texts": Row(ADMINS, BOTH),
    "api-overlaps": Row(ADMINS, PATCH),
    "api-completion": Row(ADMINS, PUT),
    "api-calibration-settings": Row(ADMINS, PUT),
    "api-calibration-standings": Row(ADMINS, READ),
    "api-calibration-decide": Row(ADMINS, WRITE),
    "api-items": Row(RESULTS, READ),
    "api-items-file": Row(RESULTS, READ),
    "api-items-tags": Row(RESULTS, READ),
    "api-items-acts": Row(RESULTS, BOTH, ADMINS),
    "api-items-acts-preview": Row(ADMINS, WRITE),
    "api-items-act": Row(RESULTS, READ),
    "api-items-act-undo": Row(ADMINS, WRITE),
    "api-items-views": Row(RESULTS, BOTH),
    "api-items-view": Row(RESULTS, ("DELETE",)),
    "api-item": Row(RESULTS, READ),
    "api-item-votes": Row(RESULTS, BOTH),
    "api-ratings": Row(RESULTS, READ),
    "api-import": Row(ADMINS, WRITE),
    "api-generated": Row(ADMINS, READ),
    "api-generated-approve": Row(ADMINS, WRITE),
    "api-generated-reject": Row(ADMINS, WRITE),
    "api-flags": Row(ADMINS, READ),
    "api-flag-settle": Row(ADMINS, WRITE),
    "api-jobs": Row(ADMINS, BOTH),
    "api-queue": Row(ADMINS, READ),
    "api-failed-jobs": Row(ADMINS, READ),
    "api-failures": Row(ADMINS, READ),
    "api-job": Row(RESULTS, READ),
    "api-job-failures": Row(RESULTS, READ),
    "api-job-cancel": Row(ADMINS, WRITE),
    "api-job-retry": Row(ADMINS, WRITE),
    "api-job-leave": Row(ADMINS, WRITE),
    "api-matchers": Row(RESULTS, READ),
    "api-trained-matchers": Row(RESULTS, READ),
    "api-matcher-train": Row(ADMINS, WRITE),
    "api-matcher-use": Row(ADMINS, WRITE),
    "api-agreement": Row(RESULTS, READ),
    "api-figures": Row(RESULTS, READ),
    "api-alerts": Row(RESULTS, READ),
    "api-alert-acknowledge": Row(RESULTS, WRITE),
    "api-audit": Row(ADMINS, READ),
    "api-alert-rules": Row(ADMINS, ("GET", "PATCH")),
    "api-alert-channels": Row(ADMINS, ("GET", "PUT")),
    "api-alert-trial": Row(ADMINS, WRITE),
    "api-looks": Row(RESULTS, READ),
    "api-plan": Row(RESULTS, READ),
    "api-rater": Row(RESULTS, READ),
    "api-set-asides": Row(RESULTS, READ),
    "api-set-aside": Row(ADMINS, BOTH),
    "api-set-aside-undo": Row(ADMINS, WRITE),
    "api-disagreements": Row(RESULTS, READ),
    "api-label-pair": Row(RESULTS, READ),
    "api-seen-votes": Row(RESULTS, WRITE),
    "api-adjudications": Row(RESULTS, BOTH),
    "api-adjudication-agreement": Row(RESULTS, READ),
    "api-adjudication-queue": Row(RESULTS, READ),
    "api-adjudication-next": Row(RESULTS, READ),
    "api-adjudication-item": Row(RESULTS, READ),
    "api-adjudication-left": Row(RESULTS, WRITE),
    "api-first-looks": Row(RESULTS, WRITE),
    "api-ratings-export": Row(RESULTS, READ),
    "api-datasheet": Row(RESULTS, ("GET", "PATCH")),
    "api-releases": Row(RESULTS, BOTH),
    "api-release-previews": Row(RESULTS, WRITE),
    "api-release": Row(RESULTS, READ),
    "api-release-archive": Row(RESULTS, READ),
    "api-release-file": Row(RESULTS, READ),
    "api-release-changes": Row(RESULTS, READ),
    "api-release-withdrawal": Row(ADMINS, WRITE),
    "api-evaluations": Row(RESULTS, BOTH),
    "api-evaluation": Row(RESULTS, READ),
    "api-evaluation-files": Row(RESULTS, READ),
    "api-evaluation-file": Row(RESULTS, READ),
    "api-evaluation-archive": Row(RESULTS, READ),
    "api-leaderboard": Row(RESULTS, READ),
    "api-submissions": Row(RESULTS, WRITE),
    "api-submission-withdrawal": Row(RESULTS, WRITE),
    "api-webhooks": Row(ADMINS, BOTH),
    "api-webhook": Row(ADMINS, ("GET", "PATCH", "DELETE")),
    "api-webhook-trial": Row(ADMINS, WRITE),
    "api-webhook-deliveries": Row(ADMINS, READ),
    "overview": Row(MEMBERS, READ),
    "rate": Row(MEMBERS, READ),
    "rate-assignment": Row(MEMBERS, BOTH),
    "draft": Row(MEMBERS, WRITE),
    "consent": Row(MEMBERS, BOTH),
    "calibration": Row(MEMBERS, READ),
    "calibration-start": Row(MEMBERS, WRITE),
    "calibration-item": Row(MEMBERS, BOTH),
    "rate-go-on": Row(MEMBERS, WRITE),
    "following": Row(MEMBERS, WRITE),
    "flag": Row(MEMBERS, WRITE),
    "history": Row(MEMBERS, READ),
    "guidelines": Row(MEMBERS, READ),
    "answers": Row(MEMBERS, READ),
    "thread": Row(MEMBERS, BOTH),
    "thread-new": Row(ADMINS, BOTH),
    "answer-share": Row(ADMINS, BOTH),
    "flags": Row(ADMINS, READ),
    "flag-settle": Row(ADMINS, WRITE),
    "agreement": Row(RESULTS, READ),
    "labels": Row(RESULTS, READ),
    "raters": Row(RESULTS, READ),
    "rater": Row(RESULTS, BOTH),
    "set-asides": Row(RESULTS, READ),
    "set-aside": Row(ADMINS, BOTH),
    "set-aside-undo": Row(ADMINS, WRITE),
    "classes": Row(RESULTS, READ),
    "items": Row(RESULTS, BOTH),
    "items-file": Row(RESULTS, READ),
    "items-act": Row(ADMINS, WRITE),
    "items-acts": Row(RESULTS, READ),
    "items-act-undo": Row(ADMINS, WRITE),
    "items-views": Row(RESULTS, WRITE),
    "items-view-remove": Row(RESULTS, WRITE),
    "item-votes": Row(RESULTS, BOTH),
    "progress": Row(RESULTS, READ),
    "time": Row(RESULTS, READ),
    "systems": Row(RESULTS, READ),
    "suggestion": Row(RESULTS, READ),
    "more": Row(RESULTS, READ),
    "alerts": Row(RESULTS, READ),
    "alert-acknowledge": Row(RESULTS, WRITE),
    "agreement-goal": Row(ADMINS, WRITE),
    "alert-rules": Row(ADMINS, WRITE),
    "alert-channels": Row(ADMINS, WRITE),
    "alert-trial": Row(ADMINS, WRITE),
    "adjudicate": Row(RESULTS, READ),
    "adjudicate-next": Row(RESULTS, READ),
    "adjudicate-decided": Row(RESULTS, READ),
    "adjudicate-item": Row(RESULTS, BOTH),
    "import": Row(ADMINS, BOTH),
    "generated": Row(ADMINS, BOTH),
    "jobs": Row(ADMINS, BOTH),
    "job": Row(RESULTS, READ),
    "job-failures": Row(ADMINS, READ),
    "job-cancel": Row(ADMINS, WRITE),
    "job-retry": Row(ADMINS, WRITE),
    "job-leave": Row(ADMINS, WRITE),
    "matchers": Row(RESULTS, READ),
    "matcher-train": Row(ADMINS, WRITE),
    "matcher-use": Row(ADMINS, WRITE),
    "releases": Row(RESULTS, READ),
    "ratings-export": Row(RESULTS, READ),
    "release-new": Row(RESULTS, BOTH),
    "datasheet": Row(RESULTS, BOTH),
    "release": Row(RESULTS, READ),
    "release-download": Row(RESULTS, READ),
    "release-file": Row(RESULTS, READ),
    "release-changes": Row(RESULTS, READ),
    "release-withdraw": Row(ADMINS, BOTH),
    "release-leaderboard": Row(RESULTS, BOTH),
    "release-submission-withdraw": Row(RESULTS, BOTH),
    "lab": Row(RESULTS, BOTH),
    "evaluation": Row(RESULTS, READ),
    "evaluation-progress": Row(RESULTS, READ),
    "evaluation-section": Row(RESULTS, READ),
    "evaluation-download": Row(RESULTS, READ),
    "evaluation-file": Row(RESULTS, READ),
    "settings": Row(ADMINS, BOTH),
    "campaign-copy": Row(ENTERED, BOTH),
    "campaign-archive": Row(ADMINS, WRITE),
    "campaign-reopen": Row(ADMINS, WRITE),
    "campaign-delete": Row(ADMINS, BOTH),
    "settings-guidelines": Row(ADMINS, WRITE),
    "settings-overlaps": Row(ADMINS, WRITE),
    "settings-consent": Row(ADMINS, WRITE),
    "settings-calibration": Row(ADMINS, WRITE),
    "calibration-decide": Row(ADMINS, WRITE),
    "audit": Row(ADMINS, READ),
    "settings-completion": Row(ADMINS, WRITE),
    "settings-preview": Row(ADMINS, WRITE),
    "webhooks": Row(ADMINS, BOTH),
    "webhook": Row(ADMINS, BOTH),
    "webhook-trial": Row(ADMINS, WRITE),
    "webhook-switch": Row(ADMINS, WRITE),
    "webhook-delete": Row(ADMINS, WRITE),
    "webhook-retry": Row(ADMINS, WRITE),
    "members": Row(ADMINS, READ),
    "member-new": Row(ADMINS, WRITE),
    "member-add": Row(ENTERED, WRITE),
    "member": Row(ADMINS, BOTH),
    "invite": Row(ADMINS, WRITE),
    "invitation-revoke": Row(ADMINS, WRITE),
    "invitees": Row(ADMINS, BOTH),
    "invitation-again": Row(ADMINS, WRITE),
}

OPERATORS_LOGIN = "admin/login/"  # has no name: Django's own page asks for it by its address
LET_IN = {200, 201, 202, 204, 302, 303, 400, 404, 409, 411, 415, 422}  # 404: it is not there


def addresses() -> Iterator[tuple[str, str]]:
    """Name and pattern of everything but Django's admin, which has a test of its own."""
    yield from _addresses(get_resolver().url_patterns, "")


def _addresses(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        whole = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield pattern.name or whole, whole
        elif pattern.app_name != "admin":
            yield from _addresses(pattern.url_patterns, whole)


def filled(pattern: str, rater: Membership, **known: object) -> str:
    """The address with parts that suit: the campaign, its first item, its rater, what is known."""
    item = rater.campaign.items.first()
    assert item is not None
    parts: dict[str, object] = {
        "slug": rater.campaign.slug,
        "item_id": item.pk,
        "member_id": rater.pk,
        "pseudonym": rater.pseudonym,
        "first": "equivalent",
        "second": "not-equivalent",
        "version": "1.0.0",
        "path": "README.md",
        "name": "systems",
        "kind": "items",
        "section": "quality",
        **known,
    }
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: str(parts.get(found[1], 1)), pattern)


def status(client: Client, method: str, address: str, body: str = "") -> tuple[int, str]:
    """Status and where to; nothing that the request does stays."""
    kept = dict(client.cookies)
    with transaction.atomic():
        response = client.generic(method, address, body, content_type="application/json")
        response.getvalue()  # a download is read to its end
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(kept)
    return response.status_code, response.headers.get("Location", "")
