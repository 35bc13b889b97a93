"""Asking for the password before anything is done, wherever the form for it stands."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tasks.access.forms import PasswordForm
from tasks.access.pages.account import knows_password
from tasks.models import User


def password_asked(request: HttpRequest, user: User) -> HttpResponse | None:
    """A page that asks for the password and sends the request again; None where it is in there."""
    is_there = "password" in request.POST
    form = PasswordForm(request.POST if is_there else None)
    if form.is_valid() and knows_password(request, user, form):
        return None
    sent = [(name, value) for name, values in request.POST.lists() for value in values]
    again = [each for each in sent if each[0] not in {"password", "csrfmiddlewaretoken"}]
    return render(request, "access/confirmation.html", {"form": form, "again": again}, status=422)
