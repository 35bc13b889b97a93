"""Static files: which there are, and how they are served once collected."""

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(StaticFilesConfig):
    """Without what libraries bring for pages and for extensions that the site does not have."""

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "rest_framework",
        "drf_spectacular*",
        "ext",
    ]


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # untyped
    """Compressed, under names that hold their digest.

    Scripts import each other by these names too, so that browsers may keep every file.
    """

    support_js_module_import_aggregation = True
