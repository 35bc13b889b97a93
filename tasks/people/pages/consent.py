"""The consent page: asked before the first item, and again when the text changes."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tasks.access.guards.pages import BOTH, member_page
from tasks.access.guards.roles import MEMBERS
from tasks.models import Consent, Membership
from tasks.people.forms import ConsentForm
from tasks.people.workflow.consent import ConsentTextChanged, give_consent
from tasks.web.addresses import page_at


@page_at(
    "c/<slug:slug>/consent/",
    name="consent",
    calls=("api-consent",),
    tab="rate",
    help="training.md#consent",
)
@member_page(MEMBERS, BOTH)
def consent(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The text in force. Where there is none, there is nothing to agree to."""
    if membership.campaign.consent_text is None:
        return redirect("rate", membership.campaign.slug)
    if request.method != "POST":
        return _show(request, membership)
    form = ConsentForm(request.POST)
    if not form.is_valid():
        return _show(request, membership, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        give_consent(membership=membership, version=form.cleaned_data["version"])
    except ConsentTextChanged:
        notice = _("The text has changed while you were reading. Please read it again.")
        return _show(request, membership, notice=notice, status=HTTPStatus.CONFLICT)
    return redirect("rate", membership.campaign.slug)


def _show(
    request: HttpRequest,
    membership: Membership,
    *,
    form: ConsentForm | None = None,
    notice: str = "",
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    text = membership.campaign.consent_text
    given = Consent.objects.filter(membership=membership, text=text).first()
    context = {
        "membership": membership,
        "text": text,
        "given": given,
        "notice": notice,
        "form": form or ConsentForm(initial={"version": text.version if text else None}),
    }
    return render(request, "people/consent.html", context, status=status)
