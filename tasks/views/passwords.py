"""Passwords: changing one's own, and a new one for those who forgot theirs."""

from typing import Any

from django.conf import settings
from django.contrib.auth import views as auth
from django.http import Http404, HttpRequest, HttpResponseBase

from tasks.people_forms import ResetByMailForm
from tasks.views.access import account_page

change = account_page(
    lambda request, _user: auth.PasswordChangeView.as_view(template_name="account/password.html")(
        request
    )
)


class ResetView(auth.PasswordResetView):
    """Sends a link, if the site sends mail. The answer is the same for any address."""

    form_class = ResetByMailForm
    template_name = "account/reset.html"
    subject_template_name = "account/reset_subject.txt"
    email_template_name = "account/reset_mail.txt"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.SENDS_MAIL:
            raise Http404
        return super().dispatch(request, *args, **kwargs)


reset = ResetView.as_view()
reset_sent = auth.PasswordResetDoneView.as_view(template_name="account/reset_sent.html")
reset_confirm = auth.PasswordResetConfirmView.as_view(template_name="account/reset_confirm.html")
reset_complete = auth.PasswordResetCompleteView.as_view(template_name="account/reset_complete.html")
