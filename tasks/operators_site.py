"""The operators' admin as a site of its own kind: whatever is mended in it is recorded, and asks
for the operator's own password.

Every class that is registered is given the recording, and every view the question, those of other
packages too, so that none can be forgotten.
"""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters

from tasks.access.guards.logins import says_when_to_try_again
from tasks.access.pages.account import password_asked
from tasks.models import AuditAction, User
from tasks.storing.acts import record

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Model]
else:  # the class takes its type argument from the stubs only
    ModelAdmin = admin.ModelAdmin


class RecordedAdmin(ModelAdmin):
    """Records what is added, changed and deleted, in the transaction that does it."""

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        _record(AuditAction.RECORD_ADDED, obj)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry:
        _record(AuditAction.RECORD_CHANGED, obj, {"fields": _changed(message)})
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: QuerySet[Model]) -> Any:
        for obj in queryset:
            _record(AuditAction.RECORD_DELETED, obj)
        return super().log_deletions(request, queryset)

    def response_action(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        with transaction.atomic():
            return super().response_action(request, *args, **kwargs)


class OperatorsSite(admin.AdminSite):
    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """For operators only, as Django has it; what is sent is taken with their password alone."""
        is_harmless = view in (self.logout, self.password_change)
        return super().admin_view(view if is_harmless else _with_password(view), cacheable)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:  # noqa: ARG002 - Django's own
        """On the page for everybody, where guesses at the old one are counted."""
        return redirect("password_change")

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        plain = admin_class or admin.ModelAdmin
        recorded = type(f"Recorded{plain.__name__}", (RecordedAdmin, plain), {})
        super().register(model_or_iterable, recorded, **options)


def _with_password(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """An operator's browser that is found open must make nobody an operator, nor give anybody a
    password or a second factor."""

    @sensitive_post_parameters()
    @says_when_to_try_again
    @wraps(view)
    def asking(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        assert isinstance(request.user, User)  # noqa: S101 - the site lets in nobody else
        if request.method == "POST" and (asked := password_asked(request, request.user)):
            return asked
        return view(request, *args, **kwargs)

    return asking


def _record(action: AuditAction, obj: Model, details: dict[str, Any] | None = None) -> None:
    kind = str(obj._meta.verbose_name)
    record(action, subject=(kind[:30], f"{obj.pk} {obj}"), details=details)


def _changed(message: Any) -> list[str]:
    """The names of the fields; never what they hold."""
    if not isinstance(message, list):
        return []
    parts = [part.get("changed", {}) for part in message if isinstance(part, dict)]
    return sorted({str(name) for part in parts for name in part.get("fields", [])})
