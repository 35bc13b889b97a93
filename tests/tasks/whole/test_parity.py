"""Whatever a page shows or does, the API does too, or a reason says why it need not.

The pages come from the URL configuration: one without a line here fails, and so does a line that
names a call that is not there.
"""

from collections.abc import Iterable

from django.urls import URLPattern, URLResolver

from tasks import api_urls as api
from tasks import urls as pages

# by the name of the page: the calls that together show and do the same
CALLS: dict[str, tuple[str, ...]] = {
    "campaign-enter": ("api-campaign-enter",),
    "campaign-new": ("api-campaigns",),
    "overview": ("api-campaign",),
    "rate": ("api-claim", "api-campaign"),
    "rate-assignment": ("api-assignment", "api-rating", "api-draft", "api-skip"),
    "draft": ("api-draft",),
    "rate-go-on": ("api-go-on",),
    "following": ("api-following",),
    "flag": ("api-flag", "api-assignment"),
    "consent": ("api-consent",),
    "calibration": ("api-calibration",),
    "calibration-start": ("api-calibration",),
    "calibration-item": ("api-calibration-attempt", "api-calibration-answers"),
    "history": ("api-history", "api-campaign"),
    "guidelines": ("api-guideline-in-force", "api-guidelines", "api-guideline"),
    "flags": ("api-flags",),
    "flag-settle": ("api-flag-settle",),
    "item-votes": ("api-item", "api-item-votes"),
    "import": ("api-import",),
    "generated": ("api-generated", "api-generated-approve", "api-generated-reject"),
    "jobs": ("api-jobs", "api-queue"),
    "job": ("api-job", "api-job-failures"),
    "job-failures": ("api-failed-jobs", "api-failures"),
    "job-cancel": ("api-job-cancel",),
    "job-retry": ("api-job-retry",),
    "job-leave": ("api-job-leave",),
    "matchers": ("api-matchers", "api-trained-matchers", "api-jobs"),
    "matcher-train": ("api-matcher-train",),
    "matcher-use": ("api-matcher-use",),
    "settings": ("api-campaign",),
    "settings-guidelines": ("api-guidelines",),
    "settings-overlaps": ("api-overlaps",),
    "settings-consent": ("api-consent-texts",),
    "settings-calibration": ("api-calibration-settings", "api-calibration-standings"),
    "calibration-decide": ("api-calibration-decide",),
    "settings-completion": ("api-completion",),
    "agreement": ("api-agreement", "api-figures"),
    "labels": ("api-figures",),
    "classes": ("api-figures",),
    "progress": ("api-figures",),
    "time": ("api-figures",),
    "systems": ("api-figures",),
    "suggestion": ("api-figures",),
    "more": ("api-figures",),
    "raters": ("api-figures",),
    "rater": ("api-figures", "api-ratings"),
    "class-pair": ("api-figures", "api-ratings"),
    "alerts": ("api-alerts", "api-looks"),
    "alert-acknowledge": ("api-alert-acknowledge",),
    "adjudicate": ("api-adjudication-agreement",),
    "adjudicate-decided": ("api-adjudications",),
    "adjudicate-item": ("api-first-looks", "api-adjudications", "api-item-votes"),
    "lab": ("api-evaluations",),
    "evaluation": ("api-evaluation",),
    "releases": ("api-releases",),
    "release": ("api-releases",),
    "release-file": ("api-release-file",),
    "release-download": ("api-releases", "api-release-file"),
    "release-changes": ("api-release-changes",),
    "release-withdraw": ("api-release-withdrawal",),
    "release-leaderboard": ("api-leaderboard", "api-submissions"),
    "release-submission-withdraw": ("api-submission-withdrawal",),
    "home": ("api-campaigns", "api-site-campaigns"),
    "account": ("api-account", "api-tokens"),
    "members": ("api-members", "api-invitations"),
    "member-new": ("api-members",),
    "member-add": ("api-members",),
    "member": ("api-member",),
    "invite": ("api-invitations",),
    "invitation-revoke": ("api-invitation",),
    "alert-rules": ("api-alert-rules",),
    "alert-channels": ("api-alert-channels",),
    "alert-trial": ("api-alert-trial",),
    "adjudicate-next": ("api-adjudication-next",),
    "datasheet": ("api-datasheet",),
    "release-new": ("api-releases",),
    "evaluation-download": ("api-evaluation-files",),
    "evaluation-file": ("api-evaluation-file",),
    "ratings-export": ("api-ratings-export",),
    "audit": ("api-audit",),
    "token-new": ("api-tokens",),
    "token-revoke": ("api-token",),
    "webhooks": ("api-webhooks",),
    "webhook": ("api-webhook", "api-webhook-deliveries"),
    "webhook-trial": ("api-webhook-trial",),
    "webhook-switch": ("api-webhook",),
    "webhook-delete": ("api-webhook",),
    "webhook-retry": ("api-webhook",),
}

NONE_NEEDED: dict[str, str] = {
    "login": "programs bring a token",
    "login-code": "programs bring a token",
    "logout": "a token is revoked, not signed out",
    "two-factor": "a second factor is of the login; it is set up by a person with a telephone",
    "two-factor-qr": "the picture of that set-up",
    "password_change": "a password is of the login, and is typed by a person",
    "password_change_done": "the word that it is changed",
    "password_reset": "for who cannot log in",
    "password_reset_done": "the word that a mail is sent",
    "password_reset_complete": "the word that it is reset",
    "password_reset_confirm": "a link out of a mail",
    "join-form": "for a person who has no account, and so no token",
    "join": "a link that a person was given",
    "crowd": "where a crowd service sends its people",
}


def _names(patterns: Iterable[object]) -> list[str]:
    names = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            names += _names(pattern.url_patterns)
        else:
            assert isinstance(pattern, URLPattern)
            assert pattern.name, f"{pattern} has no name"
            names.append(pattern.name)
    return names


def test_every_page_has_a_line_and_every_line_a_page() -> None:
    named = [*CALLS, *NONE_NEEDED]
    assert sorted(named) == sorted(_names(pages.urlpatterns))


def test_every_call_that_a_line_names_is_there() -> None:
    there = set(_names(list(api.urlpatterns)))
    missing = {page: set(calls) - there for page, calls in CALLS.items() if set(calls) - there}
    assert not missing
