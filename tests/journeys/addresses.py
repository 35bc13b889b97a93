"""Every page of the site, and where a browser finds it in a campaign that has something to show."""

# by the names of their addresses, as the admin of a campaign sees them
PAGES = {
    "home": "/",
    "find": "/find/?q=rise&campaign={slug}",
    "signed-in": "/signed-in/",
    "account": "/account/",
    "inbox": "/inbox/",
    "inbox-stop-mails": "/inbox/stop-mails/{stop}/",
    "two-factor": "/account/two-factor/",
    "password_change": "/password/",
    "password_change_done": "/password/changed/",
    "password_reset": "/password/reset/",
    "password_reset_done": "/password/reset/sent/",
    "password_reset_complete": "/password/reset/done/",
    "password_reset_confirm": "/password/reset/nobody/no-token/",
    "join": "/join/no-such-secret/",
    "crowd": "/crowd/no-such-secret/",
    "documents": "/docs/",
    "document": "/docs/dashboards/",
    "campaign-new": "/campaigns/new/",
    "campaign-enter": "/c/{closed}/enter/",
    "campaigns-deleted": "/campaigns/deleted/",
    "overview": "/c/{slug}/",
    "rate": "/c/{slug}/rate/",
    "rate-assignment": "/c/{slug}/rate/{rated}/",
    "history": "/c/{slug}/history/",
    "guidelines": "/c/{slug}/guidelines/",
    "answers": "/c/{slug}/rate/{rated}/answers/",
    "flags": "/c/{slug}/flags/",
    "thread": "/c/{slug}/threads/{thread}/",
    "thread-new": "/c/{slug}/items/{unwritten}/write/{pseudonym}/",
    "answer-share": "/c/{slug}/threads/{thread}/messages/{message}/share/",
    "agreement": "/c/{slug}/agreement/",
    "alerts": "/c/{slug}/agreement/alerts/",
    "labels": "/c/{slug}/agreement/labels/",
    "adjudicate": "/c/{slug}/adjudicate/",
    "adjudicate-decided": "/c/{slug}/adjudicate/decided/",
    "suggestion": "/c/{slug}/agreement/suggestion/",
    "more": "/c/{slug}/agreement/more/",
    "progress": "/c/{slug}/agreement/progress/",
    "time": "/c/{slug}/agreement/time/",
    "systems": "/c/{slug}/agreement/systems/",
    "raters": "/c/{slug}/agreement/raters/",
    "rater": "/c/{slug}/agreement/raters/{pseudonym}/",
    "classes": "/c/{slug}/agreement/classes/",
    "items": "/c/{slug}/items/",
    "items-acts": "/c/{slug}/items/acts/",
    "item-votes": "/c/{slug}/items/{item}/",
    "audit": "/c/{slug}/settings/audit/",
    "generated": "/c/{slug}/generated/",
    "import": "/c/{slug}/import/",
    "jobs": "/c/{slug}/jobs/",
    "job": "/c/{slug}/jobs/{job}/",
    "matchers": "/c/{slug}/matchers/",
    "job-failures": "/c/{slug}/jobs/failed/",
    "lab": "/c/{slug}/lab/",
    "evaluation": "/c/{slug}/lab/{evaluation}/",
    "evaluation-section": "/c/{slug}/lab/{evaluation}/quality/",
    "releases": "/c/{slug}/releases/",
    "datasheet": "/c/{slug}/releases/datasheet/",
    "release-new": "/c/{slug}/releases/new/",
    "release": "/c/{slug}/releases/1.0.0/",
    "release-changes": "/c/{slug}/releases/2.0.0/changes/",
    "release-withdraw": "/c/{slug}/releases/1.0.0/withdraw/",
    "release-leaderboard": "/c/{slug}/releases/1.0.0/leaderboard/",
    "release-submission-withdraw": "/c/{slug}/releases/1.0.0/leaderboard/{submission}/withdraw/",
    "settings": "/c/{slug}/settings/",
    "campaign-copy": "/c/{slug}/settings/copy/",
    "campaign-delete": "/c/{slug}/settings/delete/",
    "members": "/c/{slug}/settings/members/",
    "member": "/c/{slug}/settings/members/{member}/",
    "webhooks": "/c/{slug}/settings/webhooks/",
    "webhook": "/c/{slug}/settings/webhooks/{webhook}/",
}
# the same pages when there is something else to show
OTHER_STATES = [
    "/docs/glossary/",  # no sections
    "/docs/?q=agreement",
    "/c/{slug}/jobs/{waiting}/",
    "/c/{slug}/jobs/failed/?left=1",
    "/c/{slug}/releases/2.0.1/",  # withdrawn
    "/c/{steered}/lab/",  # nothing is evaluated there
    "/c/{slug}/releases/2.0.1/leaderboard/",
    "/c/{slug}/releases/2.0.0/leaderboard/?by=f1",  # being worked out
    "/c/{steered}/agreement/suggestion/",
    "/c/{steered}/agreement/more/?quantity=accuracy/juniper&width=0.02",
]
# pages that take a way to get to: looked at on that way
ELSEWHERE = {
    *("login", "login-code", "join-form"),  # below, and in test_people
    *("consent", "calibration", "calibration-item", "calibration-start"),  # in test_training
    "adjudicate-item",  # in test_adjudication
    "items-act",  # in test_explorer
    "evaluation-progress",  # in test_lab
}
NO_PAGES = {
    *(
        "logout",
        "two-factor-qr",
        "message-mails",
        "draft",
        "following",
        "flag",
        "flag-settle",
        "rate-go-on",
    ),
    *("adjudicate-next", "demo-load", "campaign-archive", "campaign-reopen", "campaign-restore"),
    *("job-cancel", "job-retry", "job-leave", "matcher-train", "matcher-use"),
    *("release-download", "release-file", "settings-guidelines", "settings-overlaps"),
    *("evaluation-download", "evaluation-file"),
    *("settings-consent", "settings-calibration", "calibration-decide", "settings-completion"),
    *("member-new", "member-add", "invite", "invitation-revoke"),
    *("agreement-goal", "alert-acknowledge", "alert-rules", "alert-channels", "alert-trial"),
    *("webhook-trial", "webhook-switch", "webhook-delete", "webhook-retry"),
    *("token-new", "token-revoke", "ratings-export", "document-image"),
    *("items-file", "items-views", "items-view-remove", "items-act-undo"),
}
