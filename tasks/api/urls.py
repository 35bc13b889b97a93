"""Addresses of the API."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny

from tasks.api import rating, results

urlpatterns = [
    path("schema", SpectacularAPIView.as_view(permission_classes=[AllowAny]), name="api-schema"),
    path("v1/campaigns/<slug:slug>/claim", rating.claim, name="api-claim"),
    path("v1/assignments/<int:assignment_id>/rating", rating.rating, name="api-rating"),
    path("v1/campaigns/<slug:slug>/agreement", results.agreement, name="api-agreement"),
    path("v1/campaigns/<slug:slug>/releases", results.releases, name="api-releases"),
    path(
        "v1/campaigns/<slug:slug>/releases/<str:version>/files/<path:path>",
        results.release_file,
        name="api-release-file",
    ),
]
