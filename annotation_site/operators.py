"""The operators' admin, with a site of its own kind."""

from django.contrib.admin.apps import AdminConfig


class OperatorsConfig(AdminConfig):
    default_site = "tasks.operators_site.OperatorsSite"
