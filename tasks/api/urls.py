"""Addresses of the API."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny

from tasks.api import (
    adjudication,
    alerts,
    evaluations,
    leaderboard,
    rating,
    releases,
    results,
)

urlpatterns = [
    path("schema", SpectacularAPIView.as_view(permission_classes=[AllowAny]), name="api-schema"),
    path("v1/campaigns/<slug:slug>/claim", rating.claim, name="api-claim"),
    path("v1/assignments/<int:assignment_id>/rating", rating.rating, name="api-rating"),
    path("v1/campaigns/<slug:slug>/agreement", results.agreement, name="api-agreement"),
    path("v1/campaigns/<slug:slug>/figures/<slug:name>", results.figures, name="api-figures"),
    path("v1/campaigns/<slug:slug>/alerts", alerts.alerts, name="api-alerts"),
    path(
        "v1/campaigns/<slug:slug>/alerts/<int:alert_id>/acknowledge",
        alerts.acknowledgement,
        name="api-alert-acknowledge",
    ),
    path("v1/campaigns/<slug:slug>/looks", results.looks, name="api-looks"),
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
    path("v1/campaigns/<slug:slug>/first-looks", adjudication.first_looks, name="api-first-looks"),
    path("v1/campaigns/<slug:slug>/evaluations", evaluations.evaluations, name="api-evaluations"),
    path(
        "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>",
        evaluations.evaluation,
        name="api-evaluation",
    ),
    path("v1/campaigns/<slug:slug>/releases", results.releases, name="api-releases"),
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
]
