"""The operators' admin as a site of its own kind: whatever is mended in it is recorded.

Every class that is registered is given the recording, those of other packages too, so that none
can be forgotten.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.access.guards.confirmation import asks_again
from tasks.models import AuditAction
from tasks.storing.acts import record

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Model]
else:  # the class takes its type argument from the stubs only
    ModelAdmin = admin.ModelAdmin


# django-otp's own, with forms for secrets; what people have is AuthenticatorApp and RecoveryCodes
_NOT_SHOWN = (TOTPDevice, StaticDevice)


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
    """What is sent there has to be confirmed: accounts are deleted there, and made operators."""

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(asks_again(_changes_something)(view), cacheable)

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        if model_or_iterable in _NOT_SHOWN:
            return
        plain = admin_class or admin.ModelAdmin
        recorded = type(f"Recorded{plain.__name__}", (RecordedAdmin, plain), {})
        super().register(model_or_iterable, recorded, **options)


def _changes_something(request: HttpRequest) -> bool:
    return request.path != reverse("admin:logout")


def _record(action: AuditAction, obj: Model, details: dict[str, Any] | None = None) -> None:
    kind = str(obj._meta.verbose_name)
    record(action, subject=(kind[:30], f"{obj.pk} {obj}"), details=details)


def _changed(message: Any) -> list[str]:
    """The names of the fields; never what they hold."""
    if not isinstance(message, list):
        return []
    parts = [part.get("changed", {}) for part in message if isinstance(part, dict)]
    return sorted({str(name) for part in parts for name in part.get("fields", [])})
