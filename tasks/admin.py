"""The operators' admin: look at everything, mend people and campaigns, change no rating."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks import models

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Model]
else:  # the class takes its type argument from the stubs only
    ModelAdmin = admin.ModelAdmin

admin.site.site_header = admin.site.site_title = _("Tomahto for operators")


@admin.register(models.User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # takes one from the stubs only
    def user_change_password(
        self,
        request: HttpRequest,
        id: str,  # noqa: A002 - Django's own name
        form_url: str = "",
    ) -> HttpResponse:
        """Another password and its entry in the audit log, in one transaction."""
        with transaction.atomic():
            return super().user_change_password(request, id, form_url)


class ReadOnlyAdmin(ModelAdmin):
    """Rows that the workflow writes, to be looked at only."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False


@admin.register(TOTPDevice, StaticDevice)
class DeviceAdmin(ReadOnlyAdmin):
    """Second factors: operators take a lost one away and see no secret. Their own they switch off
    under *My account*, which asks for a code, too."""

    actions = None
    list_display = ["user", "name", "created_at", "last_used_at", "confirmed"]
    fields = ["user", "name", "created_at", "last_used_at", "confirmed"]
    list_select_related = ["user"]
    search_fields = ["user__username", "user__email"]

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        is_own = obj is not None and getattr(obj, "user_id", None) == request.user.pk
        return not is_own and ModelAdmin.has_delete_permission(self, request, obj)


class KeptAdmin(ModelAdmin):
    """Rows that operators may correct, but not delete: ratings hang on them."""

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False


@admin.register(models.Campaign)
class CampaignAdmin(KeptAdmin):
    list_display = ["title", "slug", "protocol", "overlap", "state", "created_at"]
    list_filter = ["protocol", "state"]
    search_fields = ["title", "slug"]
    readonly_fields = ["slug", "protocol", "overlap", "state"]


@admin.register(models.Membership)
class MembershipAdmin(KeptAdmin):
    list_display = ["name", "campaign", "role", "pseudonym", "is_active"]
    list_filter = ["role", "is_active"]
    search_fields = ["name", "pseudonym"]
    readonly_fields = ["campaign", "user", "name", "pseudonym"]


@admin.register(models.Item)
class ItemAdmin(ReadOnlyAdmin):
    list_display = ["key", "campaign", "candidate"]
    list_filter = ["campaign"]
    search_fields = ["key", "candidate"]


@admin.register(models.Rating)
class RatingAdmin(ReadOnlyAdmin):
    list_display = ["id", "rater", "outcome_id", "is_counted", "created_at"]
    list_filter = ["item__campaign"]
    list_select_related = ["rater"]


@admin.register(models.Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ["id", "campaign", "kind", "state", "done", "total", "attempts", "error"]
    list_filter = ["kind", "state"]


@admin.register(models.JobFailure)
class JobFailureAdmin(ReadOnlyAdmin):
    list_display = ["job", "reason", "attempts", "failed_at", "acknowledged_at"]
    list_filter = ["job__campaign"]
    list_select_related = ["job"]


@admin.register(models.Worker)
class WorkerAdmin(ReadOnlyAdmin):
    list_display = ["name", "host", "pid", "started_at", "seen_at", "job"]
    list_select_related = ["job"]


@admin.register(models.DatasheetAnswer)
class DatasheetAnswerAdmin(ReadOnlyAdmin):
    list_display = ["campaign", "question", "written_by", "written_at"]
    list_filter = ["campaign", "question"]
    list_select_related = ["campaign", "written_by"]


@admin.register(models.Release)
class ReleaseAdmin(ReadOnlyAdmin):
    list_display = ["campaign", "version", "digest", "items", "ratings", "created_at"]


@admin.register(models.Withdrawal)
class WithdrawalAdmin(ReadOnlyAdmin):
    list_display = ["release", "reason", "role", "withdrawn_by", "created_at"]
    list_select_related = ["release__campaign", "withdrawn_by"]


@admin.register(models.AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ["sequence", "at", "actor", "role", "via", "campaign", "action", "subject"]
    list_filter = ["campaign", "actor_kind"]
    search_fields = ["actor", "action", "subject"]
    list_select_related = ["campaign"]
