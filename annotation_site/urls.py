"""Addresses of the site: health, the operators' admin, and everything else from the tasks."""

from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from annotation_site.health import healthz, readyz
from tasks.access.pages.login import operators_login

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", include("tasks.api_urls")),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("admin/login/", operators_login),
    path("admin/", admin.site.urls),
    path("", include("tasks.urls")),
]
handler404 = "tasks.web.page.not_found"
handler500 = "tasks.web.page.server_error"
if settings.METRICS_TOKEN:
    # nobody else needs what it imports
    from annotation_site.metrics_page import metrics

    urlpatterns.insert(0, path("metrics", metrics, name="metrics"))
