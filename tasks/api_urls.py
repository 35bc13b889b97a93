"""Addresses of the API."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny

from tasks.access import api as account
from tasks.adjudication.api import decisions as adjudication
from tasks.adjudication.api import desk as adjudication_desk
from tasks.adjudication.api import ratings
from tasks.agreement.api import alert_settings, alerts, figures, raters, seen_votes
from tasks.audit import api as audit
from tasks.campaigns import api as guidelines
from tasks.evaluations.api import evaluations, leaderboard
from tasks.events import api as webhooks
from tasks.home.api import campaigns, settings
from tasks.intake import api as imports
from tasks.people.api import consent, invitations, members
from tasks.prefill.api import failures as job_failures
from tasks.prefill.api import generated, jobs, matchers
from tasks.rating.api import assignments, exports, flags, history, items, rating
from tasks.releases.api import datasheet, releases, results
from tasks.releases.api import start as release_start
from tasks.training import api as calibration

_CAMPAIGN = "v1/campaigns/<slug:slug>"
_ASSIGNMENT = "v1/assignments/<int:assignment_id>"

# addresses are tried in their order: first the two that are called most
work = [
    path(f"{_CAMPAIGN}/claim", rating.claim, name="api-claim"),
    path(f"{_ASSIGNMENT}/rating", rating.rating, name="api-rating"),
    path(_ASSIGNMENT, assignments.assignment, name="api-assignment"),
    path(f"{_ASSIGNMENT}/draft", assignments.draft, name="api-draft"),
    path(f"{_ASSIGNMENT}/skip", assignments.skip, name="api-skip"),
    path(f"{_ASSIGNMENT}/flag", assignments.flag, name="api-flag"),
    path(f"{_ASSIGNMENT}/go-on", assignments.go_on, name="api-go-on"),
    path(f"{_ASSIGNMENT}/following", assignments.following, name="api-following"),
    path(f"{_CAMPAIGN}/history", history.history, name="api-history"),
    path(f"{_CAMPAIGN}/guideline", guidelines.in_force, name="api-guideline-in-force"),
    path(f"{_CAMPAIGN}/consent", consent.consent, name="api-consent"),
    path(f"{_CAMPAIGN}/calibration", calibration.calibration, name="api-calibration"),
    path(
        f"{_CAMPAIGN}/calibration/<int:number>",
        calibration.attempt,
        name="api-calibration-attempt",
    ),
    path(
        f"{_CAMPAIGN}/calibration/<int:number>/answers",
        calibration.answers,
        name="api-calibration-answers",
    ),
]

management = [
    path("v1/campaigns", campaigns.campaigns, name="api-campaigns"),
    path(_CAMPAIGN, campaigns.campaign, name="api-campaign"),
    path(f"{_CAMPAIGN}/guidelines", guidelines.guidelines, name="api-guidelines"),
    path(f"{_CAMPAIGN}/guidelines/<int:number>", guidelines.guideline, name="api-guideline"),
    path(f"{_CAMPAIGN}/settings/consent-texts", consent.consent_texts, name="api-consent-texts"),
    path(f"{_CAMPAIGN}/settings/overlaps", settings.overlaps, name="api-overlaps"),
    path(f"{_CAMPAIGN}/settings/completion", settings.completion, name="api-completion"),
    path(
        f"{_CAMPAIGN}/settings/calibration", settings.calibration, name="api-calibration-settings"
    ),
    path(
        f"{_CAMPAIGN}/settings/calibration/standings",
        settings.standings,
        name="api-calibration-standings",
    ),
    path(
        f"{_CAMPAIGN}/settings/calibration/<int:member_id>",
        settings.decide,
        name="api-calibration-decide",
    ),
]

material = [
    path(f"{_CAMPAIGN}/items", items.items, name="api-items"),
    path(f"{_CAMPAIGN}/items/<int:item_id>", items.item, name="api-item"),
    path(f"{_CAMPAIGN}/items/<int:item_id>/votes", items.votes, name="api-item-votes"),
    path(f"{_CAMPAIGN}/ratings", ratings.ratings, name="api-ratings"),
    path(f"{_CAMPAIGN}/imports/<slug:kind>", imports.import_file, name="api-import"),
    path(f"{_CAMPAIGN}/generated", generated.texts, name="api-generated"),
    path(f"{_CAMPAIGN}/generated/approve", generated.approval, name="api-generated-approve"),
    path(f"{_CAMPAIGN}/generated/reject", generated.rejection, name="api-generated-reject"),
    path(f"{_CAMPAIGN}/flags", flags.flags, name="api-flags"),
    path(f"{_CAMPAIGN}/flags/<int:flag_id>/settle", flags.settlement, name="api-flag-settle"),
]

machines = [
    path(f"{_CAMPAIGN}/jobs", jobs.jobs, name="api-jobs"),
    path(f"{_CAMPAIGN}/jobs/queue", jobs.waiting, name="api-queue"),
    path(f"{_CAMPAIGN}/jobs/failed", job_failures.jobs, name="api-failed-jobs"),
    path(f"{_CAMPAIGN}/jobs/failures", job_failures.failures, name="api-failures"),
    path(f"{_CAMPAIGN}/jobs/<int:job_id>", jobs.job, name="api-job"),
    path(f"{_CAMPAIGN}/jobs/<int:job_id>/failures", job_failures.of_job, name="api-job-failures"),
    path(f"{_CAMPAIGN}/jobs/<int:job_id>/cancel", jobs.cancellation, name="api-job-cancel"),
    path(f"{_CAMPAIGN}/jobs/<int:job_id>/retry", job_failures.retry, name="api-job-retry"),
    path(f"{_CAMPAIGN}/jobs/<int:job_id>/leave", job_failures.leave, name="api-job-leave"),
    path(f"{_CAMPAIGN}/matchers", matchers.matchers, name="api-matchers"),
    path(f"{_CAMPAIGN}/matchers/trained", matchers.trained, name="api-trained-matchers"),
    path(f"{_CAMPAIGN}/matchers/train", matchers.training, name="api-matcher-train"),
    path(f"{_CAMPAIGN}/matchers/use", matchers.use, name="api-matcher-use"),
]

urlpatterns = [
    *work,
    *management,
    *material,
    *machines,
    path("schema", SpectacularAPIView.as_view(permission_classes=[AllowAny]), name="api-schema"),
    path("v1/account", account.account, name="api-account"),
    path("v1/tokens", account.tokens, name="api-tokens"),
    path("v1/tokens/<int:token_id>", account.token, name="api-token"),
    path("v1/site/campaigns", campaigns.site_campaigns, name="api-site-campaigns"),
    path("v1/campaigns/<slug:slug>/entry", campaigns.enter, name="api-campaign-enter"),
    path("v1/campaigns/<slug:slug>/members", members.members, name="api-members"),
    path("v1/campaigns/<slug:slug>/members/<int:member_id>", members.member, name="api-member"),
    path("v1/campaigns/<slug:slug>/invitations", invitations.invitations, name="api-invitations"),
    path(
        "v1/campaigns/<slug:slug>/invitations/<int:invitation_id>",
        invitations.invitation,
        name="api-invitation",
    ),
    path("v1/campaigns/<slug:slug>/agreement", results.agreement, name="api-agreement"),
    path("v1/campaigns/<slug:slug>/figures/<slug:name>", figures.figures, name="api-figures"),
    path("v1/campaigns/<slug:slug>/alerts", alerts.alerts, name="api-alerts"),
    path(
        "v1/campaigns/<slug:slug>/alerts/<int:alert_id>/acknowledge",
        alerts.acknowledgement,
        name="api-alert-acknowledge",
    ),
    path("v1/campaigns/<slug:slug>/audit", audit.audit, name="api-audit"),
    path("v1/campaigns/<slug:slug>/alerts/rules", alert_settings.rules, name="api-alert-rules"),
    path(
        "v1/campaigns/<slug:slug>/alerts/channels",
        alert_settings.channels,
        name="api-alert-channels",
    ),
    path("v1/campaigns/<slug:slug>/alerts/trial", alert_settings.trial, name="api-alert-trial"),
    path("v1/campaigns/<slug:slug>/looks", figures.looks, name="api-looks"),
    path("v1/campaigns/<slug:slug>/figures/more/plan", figures.plan, name="api-plan"),
    path("v1/campaigns/<slug:slug>/raters/<str:pseudonym>", raters.rater, name="api-rater"),
    path(
        "v1/campaigns/<slug:slug>/raters/<str:pseudonym>/disagreements",
        raters.disagreements,
        name="api-disagreements",
    ),
    path(
        "v1/campaigns/<slug:slug>/label-pairs/<str:first>/<str:second>",
        raters.label_pair,
        name="api-label-pair",
    ),
    path("v1/campaigns/<slug:slug>/seen-votes", seen_votes.seen_votes, name="api-seen-votes"),
    path(
        "v1/campaigns/<slug:slug>/adjudications",
        adjudication.adjudications,
        name="api-adjudications",
    ),
    path(
        "v1/campaigns/<slug:slug>/adjudications/agreement",
        adjudication.agreement,
        name="api-adjudication-agreement",
    ),
    path(
        "v1/campaigns/<slug:slug>/adjudications/queue",
        adjudication_desk.queue,
        name="api-adjudication-queue",
    ),
    path(
        "v1/campaigns/<slug:slug>/adjudications/next",
        adjudication_desk.next_to_adjudicate,
        name="api-adjudication-next",
    ),
    path(
        "v1/campaigns/<slug:slug>/adjudications/item",
        adjudication_desk.desk,
        name="api-adjudication-item",
    ),
    path(
        "v1/campaigns/<slug:slug>/adjudications/left",
        adjudication_desk.left,
        name="api-adjudication-left",
    ),
    path("v1/campaigns/<slug:slug>/first-looks", adjudication.first_looks, name="api-first-looks"),
    path("v1/campaigns/<slug:slug>/evaluations", evaluations.evaluations, name="api-evaluations"),
    path(
        "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>",
        evaluations.evaluation,
        name="api-evaluation",
    ),
    path("v1/campaigns/<slug:slug>/ratings/export", exports.ratings, name="api-ratings-export"),
    path(
        "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/files",
        evaluations.files,
        name="api-evaluation-files",
    ),
    path(
        "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/files/<path:path>",
        evaluations.file,
        name="api-evaluation-file",
    ),
    path(
        "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/archive",
        evaluations.archive,
        name="api-evaluation-archive",
    ),
    path("v1/campaigns/<slug:slug>/datasheet", datasheet.datasheet, name="api-datasheet"),
    path("v1/campaigns/<slug:slug>/releases", results.releases, name="api-releases"),
    path(
        "v1/campaigns/<slug:slug>/release-previews",
        release_start.previews,
        name="api-release-previews",
    ),
    path("v1/campaigns/<slug:slug>/releases/<str:version>", results.release, name="api-release"),
    path(
        "v1/campaigns/<slug:slug>/releases/<str:version>/archive",
        results.archive,
        name="api-release-archive",
    ),
    path(
        "v1/campaigns/<slug:slug>/releases/<str:version>/files/<path:path>",
        results.release_file,
        name="api-release-file",
    ),
    path(
        "v1/campaigns/<slug:slug>/releases/<str:version>/changes",
        releases.changes,
        name="api-release-changes",
    ),
    path(
        "v1/campaigns/<slug:slug>/releases/<str:version>/withdrawal",
        releases.withdrawal,
        name="api-release-withdrawal",
    ),
    path(
        "v1/campaigns/<slug:slug>/releases/<str:version>/leaderboard",
        leaderboard.leaderboard,
        name="api-leaderboard",
    ),
    path(
        "v1/campaigns/<slug:slug>/releases/<str:version>/submissions",
        leaderboard.submissions,
        name="api-submissions",
    ),
    path(
        "v1/campaigns/<slug:slug>/releases/<str:version>/submissions/<int:number>/withdrawal",
        leaderboard.withdrawal,
        name="api-submission-withdrawal",
    ),
    path("v1/campaigns/<slug:slug>/webhooks", webhooks.webhooks, name="api-webhooks"),
    path(
        "v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>", webhooks.webhook, name="api-webhook"
    ),
    path(
        "v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>/trial",
        webhooks.trial,
        name="api-webhook-trial",
    ),
    path(
        "v1/campaigns/<slug:slug>/webhooks/<int:webhook_id>/deliveries",
        webhooks.deliveries,
        name="api-webhook-deliveries",
    ),
]
