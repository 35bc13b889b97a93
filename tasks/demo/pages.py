"""The demo at a press of a button, for operators of a site that is still empty."""

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tasks.access.guards.pages import user_page
from tasks.demo.workflow import load_demo_for
from tasks.models import User
from tasks.web.addresses import page_at
from tomahto.interchange.reading.records import InputError


@page_at("demo/", name="demo-load", no_call="programs run the command seed_demo")
@require_POST
@user_page
def load(request: HttpRequest, user: User) -> HttpResponseBase:
    """Both demo campaigns, with the operator as their admin."""
    if not user.is_operator:
        raise PermissionDenied
    try:
        is_loaded = load_demo_for(operator=user, folder=settings.BASE_DIR / "demo")
    except (IntegrityError, InputError):  # or two asked at once
        messages.error(request, _("Nothing was loaded: the demo needs names that are taken here."))
        return redirect("home")
    if is_loaded:
        messages.success(
            request, _("The two demo campaigns are ready. Look around and try anything.")
        )
    else:
        messages.error(request, _("The demo is for sites without campaigns."))
    return redirect("home")
