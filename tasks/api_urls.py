"""Addresses of the API, as its calls say them, and of its schema."""

from django.urls import path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.permissions import AllowAny

from tasks.web.addresses import calls, patterns

urlpatterns = [
    *patterns(calls()),
    path("schema", SpectacularAPIView.as_view(permission_classes=[AllowAny]), name="api-schema"),
]
