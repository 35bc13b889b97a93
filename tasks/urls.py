"""Addresses of the pages."""

from django.contrib.auth import views as auth
from django.urls import include, path

from tasks.access.pages import account as account_views
from tasks.access.pages import login, passwords, tokens
from tasks.adjudication.pages import adjudicate
from tasks.adjudication.pages import overview as adjudications
from tasks.agreement.pages import (
    agreement,
    alerts,
    classes,
    labels,
    more,
    over_time,
    progress,
    raters,
    suggestion,
    systems,
)
from tasks.audit import pages as audit
from tasks.evaluations.pages import lab, lab_report, leaderboard
from tasks.events import pages as webhooks
from tasks.home.pages import home, overview, settings, training_settings
from tasks.intake import pages as uploads
from tasks.people.pages import consent, crowd, invitations, join, member, members
from tasks.prefill.pages import failures as job_failures
from tasks.prefill.pages import generated, jobs, matchers
from tasks.rating.pages import flags, history, items, rate
from tasks.releases.pages import changes as release_changes
from tasks.releases.pages import datasheet, releases, withdrawal
from tasks.releases.pages import release as release_page
from tasks.releases.pages import wizard as release_wizard
from tasks.training.pages import calibration

account = [
    path("login/", login.LoginView.as_view(), name="login"),
    path("login/code/", login.code, name="login-code"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("account/", account_views.account, name="account"),
    path("account/tokens/", tokens.make, name="token-new"),
    path("account/tokens/<int:token_id>/revoke/", tokens.revoke, name="token-revoke"),
    path("account/two-factor/", account_views.two_factor, name="two-factor"),
    path("account/two-factor/qr.svg", account_views.qr_code, name="two-factor-qr"),
    path("password/", passwords.change, name="password_change"),
    path(
        "password/changed/",
        auth.PasswordChangeDoneView.as_view(template_name="account/password_changed.html"),
        name="password_change_done",
    ),
    path("password/reset/", passwords.reset, name="password_reset"),
    path("password/reset/sent/", passwords.reset_sent, name="password_reset_done"),
    path("password/reset/done/", passwords.reset_complete, name="password_reset_complete"),
    path(
        "password/reset/<uidb64>/<token>/",
        passwords.reset_confirm,
        name="password_reset_confirm",
    ),
]

entry = [
    path("join/", join.join, name="join-form"),
    path("join/<str:secret>/", join.open_link, name="join"),
    path("crowd/<str:secret>/", crowd.enter, name="crowd"),
]

campaign = [
    path("", overview.overview, name="overview"),
    path("rate/", rate.rate, name="rate"),
    path("rate/<int:assignment_id>/", rate.rate_assignment, name="rate-assignment"),
    path("rate/<int:assignment_id>/go-on/", rate.go_on, name="rate-go-on"),
    path("rate/<int:assignment_id>/draft/", rate.draft, name="draft"),
    path("consent/", consent.consent, name="consent"),
    path("calibration/", calibration.calibration, name="calibration"),
    path("calibration/start/", calibration.start, name="calibration-start"),
    path("calibration/<int:number>/<int:item_id>/", calibration.item, name="calibration-item"),
    path("rate/<int:assignment_id>/following/", rate.following, name="following"),
    path("rate/<int:assignment_id>/flag/", flags.raise_, name="flag"),
    path("history/", history.history, name="history"),
    path("guidelines/", history.guidelines, name="guidelines"),
    path("flags/", flags.flags, name="flags"),
    path("flags/<int:flag_id>/", flags.settle, name="flag-settle"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement/labels/", labels.labels, name="labels"),
    path("agreement/raters/", raters.raters, name="raters"),
    path("agreement/raters/<str:pseudonym>/", raters.rater, name="rater"),
    path("agreement/classes/", classes.classes, name="classes"),
    path("agreement/classes/<str:first>/<str:second>/", classes.pair, name="class-pair"),
    path("items/<int:item_id>/", items.item, name="item-votes"),
    path("agreement/progress/", progress.progress, name="progress"),
    path("agreement/time/", over_time.over_time, name="time"),
    path("agreement/systems/", systems.systems, name="systems"),
    path("agreement/suggestion/", suggestion.suggestion, name="suggestion"),
    path("agreement/more/", more.more, name="more"),
    path("agreement/alerts/", alerts.alerts, name="alerts"),
    path("agreement/alerts/<int:alert_id>/", alerts.settle, name="alert-acknowledge"),
    path("agreement/alerts/rules/", alerts.rules, name="alert-rules"),
    path("agreement/alerts/channels/", alerts.channels, name="alert-channels"),
    path("agreement/alerts/trial/", alerts.trial, name="alert-trial"),
    path("adjudicate/", adjudications.overview, name="adjudicate"),
    path("adjudicate/next/", adjudicate.next_, name="adjudicate-next"),
    path("adjudicate/decided/", adjudications.decided, name="adjudicate-decided"),
    path("adjudicate/<int:item_id>/", adjudicate.item, name="adjudicate-item"),
    path("import/", uploads.uploads, name="import"),
    path("generated/", generated.generated, name="generated"),
    path("jobs/", jobs.jobs, name="jobs"),
    path("jobs/<int:job_id>/", jobs.job, name="job"),
    path("jobs/failed/", job_failures.failures, name="job-failures"),
    path("jobs/<int:job_id>/cancel/", jobs.stop, name="job-cancel"),
    path("jobs/<int:job_id>/retry/", job_failures.retry, name="job-retry"),
    path("jobs/<int:job_id>/leave/", job_failures.leave, name="job-leave"),
    path("matchers/", matchers.matchers, name="matchers"),
    path("matchers/train/", matchers.train, name="matcher-train"),
    path("matchers/use/", matchers.use, name="matcher-use"),
    path("lab/", lab.evaluations, name="lab"),
    path("lab/<int:evaluation_id>/", lab_report.evaluation, name="evaluation"),
    path("lab/<int:evaluation_id>/download", lab_report.download, name="evaluation-download"),
    path("lab/<int:evaluation_id>/files/<path:path>", lab_report.file, name="evaluation-file"),
    path("releases/", releases.releases, name="releases"),
    path("releases/ratings.jsonl", releases.ratings, name="ratings-export"),
    path("releases/new/", release_wizard.new, name="release-new"),
    path("releases/datasheet/", datasheet.datasheet, name="datasheet"),
    path("releases/<str:version>/", release_page.release, name="release"),
    path("releases/<str:version>/download", releases.download, name="release-download"),
    path("releases/<str:version>/files/<path:path>", releases.file, name="release-file"),
    path("releases/<str:version>/changes/", release_changes.changes, name="release-changes"),
    path("releases/<str:version>/withdraw/", withdrawal.withdraw, name="release-withdraw"),
    path(
        "releases/<str:version>/leaderboard/",
        leaderboard.leaderboard,
        name="release-leaderboard",
    ),
    path(
        "releases/<str:version>/leaderboard/<int:number>/withdraw/",
        leaderboard.withdraw,
        name="release-submission-withdraw",
    ),
    path("settings/", settings.settings, name="settings"),
    path("settings/guidelines/", settings.guidelines, name="settings-guidelines"),
    path("settings/overlaps/", settings.overlaps, name="settings-overlaps"),
    path("settings/consent/", training_settings.consent, name="settings-consent"),
    path("settings/calibration/", training_settings.calibration, name="settings-calibration"),
    path(
        "settings/calibration/<int:member_id>/",
        training_settings.decide,
        name="calibration-decide",
    ),
    path("settings/audit/", audit.audit, name="audit"),
    path("settings/completion/", settings.completion, name="settings-completion"),
    path("settings/webhooks/", webhooks.webhooks, name="webhooks"),
    path("settings/webhooks/<int:webhook_id>/", webhooks.webhook, name="webhook"),
    path("settings/webhooks/<int:webhook_id>/trial/", webhooks.trial, name="webhook-trial"),
    path("settings/webhooks/<int:webhook_id>/switch/", webhooks.switch, name="webhook-switch"),
    path("settings/webhooks/<int:webhook_id>/delete/", webhooks.delete, name="webhook-delete"),
    path(
        "settings/webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/retry/",
        webhooks.retry,
        name="webhook-retry",
    ),
    path("settings/members/", members.members, name="members"),
    path("settings/members/new/", members.new, name="member-new"),
    path("settings/members/add/", members.add, name="member-add"),
    path("settings/members/<int:member_id>/", member.member, name="member"),
    path("settings/invitations/", invitations.invite, name="invite"),
    path(
        "settings/invitations/<int:invitation_id>/revoke/",
        invitations.revoke,
        name="invitation-revoke",
    ),
]

urlpatterns = [
    path("", home.home, name="home"),
    *account,
    *entry,
    path("campaigns/new/", home.new_campaign, name="campaign-new"),
    path("c/<slug:slug>/enter/", home.enter, name="campaign-enter"),
    path("c/<slug:slug>/", include(campaign)),
]
