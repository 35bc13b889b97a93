"""Addresses of the pages."""

from django.contrib.auth import views as auth
from django.urls import include, path

from tasks.views import account as account_views
from tasks.views import (
    agreement,
    calibration,
    consent,
    crowd,
    flags,
    generated,
    history,
    home,
    invitations,
    job_failures,
    jobs,
    join,
    login,
    matchers,
    member,
    members,
    overview,
    passwords,
    rate,
    releases,
    settings,
    training_settings,
    uploads,
)

account = [
    path("login/", login.LoginView.as_view(), name="login"),
    path("login/code/", login.code, name="login-code"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("account/", account_views.account, name="account"),
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
    path("releases/", releases.releases, name="releases"),
    path("releases/<str:version>/", releases.release, name="release"),
    path("releases/<str:version>/download", releases.download, name="release-download"),
    path("releases/<str:version>/files/<path:path>", releases.file, name="release-file"),
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
    path("settings/completion/", settings.completion, name="settings-completion"),
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
    path("c/<slug:slug>/", include(campaign)),
]
