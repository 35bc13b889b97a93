"""An example of every page, by the name of its address and by who opens it.

The names come from the URL configuration: a page without an example here fails a test. `{…}` are
filled in by `tests.journeys.looks.filling`.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.urls import URLPattern, URLResolver, get_resolver

from tomahto.lab.sections import SECTIONS

NOBODY = "nobody"  # signed in
# people of the demo, by their usernames
ADMIN, RESEARCHER, RATER = "admin", "researcher", "rater"
READER = "reader"  # a researcher who judges nothing
NEWCOMER = "newcomer"  # has agreed, and is to be calibrated
CAREFUL = "careful"  # whose account asks for a code


class Example(NamedTuple):
    """`name` is its address's, or says in what other state the page is; `leads_to` is the path
    one ends at, where it is another. A page that only a form leads to is sent `fields` from the
    page `sent_from`."""

    name: str
    who: str
    path: str
    leads_to: str = ""
    sent_from: str = ""
    fields: dict[str, str] = {}


_OF_NOBODY = {
    "login": "/login/",
    "password_reset": "/password/reset/",
    "password_reset_done": "/password/reset/sent/",
    "password_reset_complete": "/password/reset/done/",
    "password_reset_confirm": "/password/reset/nobody/no-token/",
    "join": "/join/{ended}/",
    "crowd": "/crowd/{crowd}/",
    "inbox-stop-mails": "/inbox/stop-mails/{stop}/",
    "documents, unsigned": "/docs/",
}
_OF_ADMINS = {
    "home": "/",
    "find": "/find/?q=river&campaign={slug}",
    "find, nothing": "/find/?q=nothing-like-that&campaign={slug}",
    "documents": "/docs/",
    "document": "/docs/dashboards/",
    "account": "/account/",
    "inbox": "/inbox/",
    "two-factor": "/account/two-factor/",
    "password_change": "/password/",
    "password_change_done": "/password/changed/",
    "campaign-new": "/campaigns/new/",
    "campaign-enter": "/c/{closed}/enter/",
    "campaigns-deleted": "/campaigns/deleted/",
}
_SET_UP = {
    "import": "/c/{slug}/import/",
    "generated": "/c/{slug}/generated/",
    "generated, nothing": "/c/{steered}/generated/",
    "jobs": "/c/{slug}/jobs/",
    "jobs, nothing": "/c/{empty}/jobs/",
    "job": "/c/{slug}/jobs/{job}/",
    "job, waiting": "/c/{slug}/jobs/{waiting}/",
    "job, failed": "/c/{slug}/jobs/{failed}/",
    "job-failures": "/c/{slug}/jobs/failed/",
    "job-failures, left": "/c/{slug}/jobs/failed/?left=1",
    "matchers": "/c/{slug}/matchers/",
    "matchers, nothing": "/c/{empty}/matchers/",
    "settings": "/c/{slug}/settings/",
    "campaign-copy": "/c/{slug}/settings/copy/",
    "campaign-delete": "/c/{slug}/settings/delete/",
    "settings-wording": "/c/{slug}/settings/wording/de/?start=shipped",
    "members": "/c/{slug}/settings/members/",
    "members, nothing": "/c/{empty}/settings/members/",
    "member": "/c/{slug}/settings/members/{member}/",
    "invite-by-mail": "/c/{slug}/settings/invitations/mail/",
    "webhooks": "/c/{slug}/settings/webhooks/",
    "webhooks, nothing": "/c/{empty}/settings/webhooks/",
    "webhook": "/c/{slug}/settings/webhooks/{webhook}/",
    "webhook, to be set anew": "/c/{slug}/settings/webhooks/{lost}/",
    "audit": "/c/{slug}/settings/audit/",
}
_WORK = {
    "overview": "/c/{slug}/",
    "overview, nothing": "/c/{empty}/",
    "overview, archived": "/c/{archived}/",
    "rate, an admin's": "/c/{slug}/rate/",
    "rate, nothing": "/c/{empty}/rate/",
    "guidelines": "/c/{slug}/guidelines/",
    "flags": "/c/{slug}/flags/",
    "flags, nothing": "/c/{empty}/flags/",
    "thread": "/c/{slug}/threads/{thread}/",
    "thread-new": "/c/{slug}/items/{item}/threads/",
    "item-votes": "/c/{slug}/items/{item}/",
    "adjudicate": "/c/{slug}/adjudicate/",
    "adjudicate, nothing": "/c/{empty}/adjudicate/",
    "adjudicate-decided": "/c/{slug}/adjudicate/decided/",
}
_RESULTS = {
    "agreement": "/c/{slug}/agreement/",
    "agreement, nothing": "/c/{empty}/agreement/",
    "alerts": "/c/{slug}/agreement/alerts/",
    "alerts, nothing": "/c/{empty}/agreement/alerts/",
    "labels": "/c/{slug}/agreement/labels/",
    "labels, eight classes": "/c/{classes}/agreement/labels/",
    "classes": "/c/{classes}/agreement/classes/",
    "progress": "/c/{slug}/agreement/progress/",
    "time": "/c/{slug}/agreement/time/",
    "systems": "/c/{slug}/agreement/systems/",
    "raters": "/c/{slug}/agreement/raters/",
    "rater": "/c/{slug}/agreement/raters/{pseudonym}/",
    "suggestion": "/c/{slug}/agreement/suggestion/",
    "suggestion, shown by lot": "/c/{steered}/agreement/suggestion/",
    "more": "/c/{slug}/agreement/more/",
    "more, planned": "/c/{steered}/agreement/more/?quantity=accuracy/juniper&width=0.02",
    "items": "/c/{slug}/items/",
    "items, found": "/c/{slug}/items/?q=river&disputed=yes",
    "items, every column": "/c/{slug}/items/?columns=all",
    "items, nothing": "/c/{empty}/items/",
    "items-acts": "/c/{slug}/items/acts/",
    "items-acts, nothing": "/c/{empty}/items/acts/",
    "lab": "/c/{slug}/lab/",
    "lab, nothing": "/c/{steered}/lab/",
    "evaluation": "/c/{slug}/lab/{evaluation}/",
    **{
        f"evaluation-section{', ' * (place > 0)}{section * (place > 0)}": (
            f"/c/{{slug}}/lab/{{evaluation}}/{section}/"
        )
        for place, section in enumerate(SECTIONS)
    },
    "evaluation, every kind of cell": "/c/{slug}/lab/{sample}/",
    "releases": "/c/{slug}/releases/",
    "releases, nothing": "/c/{empty}/releases/",
    "datasheet": "/c/{slug}/releases/datasheet/",
    "release-new": "/c/{slug}/releases/new/",
    "release": "/c/{slug}/releases/1.0.0/",
    "release, withdrawn": "/c/{slug}/releases/2.0.1/",
    "release-withdraw": "/c/{slug}/releases/1.0.0/withdraw/",
    "release-leaderboard": "/c/{slug}/releases/1.0.0/leaderboard/",
    "release-leaderboard, withdrawn": "/c/{slug}/releases/2.0.1/leaderboard/",
    "release-leaderboard, being worked out": "/c/{slug}/releases/2.0.0/leaderboard/?by=f1",
    "release-submission-withdraw": "/c/{slug}/releases/1.0.0/leaderboard/{submission}/withdraw/",
}
_ON_THE_WAY_IN = [
    Example("login-code", CAREFUL, "/login/code/"),  # first: there is little time for it
    Example("join-form", NOBODY, "/join/{secret}/", "/join/"),
]
_OF_OTHERS = [
    Example("home, a researcher's", RESEARCHER, "/"),
    Example("overview, a researcher's", RESEARCHER, "/c/{slug}/"),
    Example("adjudicate-item", RESEARCHER, "/c/{slug}/adjudicate/{disputed}/"),
    Example("adjudicate-item, with votes", RESEARCHER, "/c/{slug}/adjudicate/{looked_at}/"),
    Example(
        "items-act",
        ADMIN,
        "/c/{slug}/items/act/",
        sent_from="/c/{slug}/items/",
        fields={"act": "tag", "items": "{item} {disputed}", "tag": "close call", "told": "1"},
    ),
    Example("class-pair", READER, "/c/{slug}/agreement/classes/equivalent/not-equivalent/"),
    Example("item-votes, a researcher's", READER, "/c/{slug}/items/{item}/"),
    Example("release-changes", READER, "/c/{slug}/releases/2.0.0/changes/"),
    Example("release-changes, votes not seen", ADMIN, "/c/{slug}/releases/2.0.0/changes/"),
    Example("home, a rater's", RATER, "/"),
    Example("inbox, a rater's", RATER, "/inbox/"),
    Example("rate", RATER, "/c/{slug}/rate/"),
    Example("rate-assignment", RATER, "/c/{slug}/rate/{rated}/"),
    Example("history", RATER, "/c/{slug}/history/"),
    Example("guidelines, a rater's", RATER, "/c/{slug}/guidelines/"),
    Example("thread, a rater's", RATER, "/c/{slug}/threads/{thread}/"),
    Example("consent", RATER, "/c/{classes}/consent/"),
    Example("calibration", NEWCOMER, "/c/{classes}/calibration/"),
    Example("calibration-item", NEWCOMER, "/c/{classes}/calibration/1/{known}/"),
]


def _examples(who: str, paths: dict[str, str]) -> list[Example]:
    return [Example(name, who, path) for name, path in paths.items()]


# each part is a test of its own, so that none takes long
PARTS: dict[str, list[Example]] = {
    "site": [*_ON_THE_WAY_IN, *_examples(NOBODY, _OF_NOBODY), *_examples(ADMIN, _OF_ADMINS)],
    "set-up": _examples(ADMIN, _SET_UP),
    "work": [*_examples(ADMIN, _WORK), *_OF_OTHERS],
    "results": _examples(ADMIN, _RESULTS),
}
EXAMPLES = [example for part in PARTS.values() for example in part]
# addresses that answer with a file, a fragment or another address
NO_PAGES = {
    *("document-image", "demo-load", "adjudicate-next"),
    *("logout", "two-factor-qr", "draft", "following", "flag", "flag-settle", "rate-go-on"),
    *("job-cancel", "job-retry", "job-leave", "matcher-train", "matcher-use"),
    *("release-download", "release-file", "settings-guidelines", "settings-overlaps"),
    *("settings-wording-withdraw", "evaluation-download", "evaluation-file", "settings-consent"),
    *("settings-calibration", "calibration-start", "calibration-decide", "settings-completion"),
    *("settings-preview", "campaign-archive", "campaign-reopen", "campaign-restore"),
    *("invitation-mail-again", "invitation-mail-withdraw"),
    *("personal-invitation", "personal-invitation-withdraw"),
    *("items-act-undo", "items-views", "items-view-remove", "items-file"),
    *("member-new", "member-add", "invite", "invitation-revoke"),
    *("alert-acknowledge", "alert-rules", "alert-channels", "alert-trial"),
    *("webhook-trial", "webhook-switch", "webhook-delete", "webhook-retry"),
    *("token-new", "token-revoke", "ratings-export", "message-mails", "inbox-mark"),
}
# what takes the place of a page when something is wrong
MESSAGES = ["404.html", "500.html", "400.html", "403.html", "csrf.html", "access/locked.html"]


def names_of_pages() -> set[str | None]:
    """Of all addresses in the URL configuration."""
    return set(_names(get_resolver("tasks.urls").url_patterns))


def _names(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str | None]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns)
        else:
            yield pattern.name
