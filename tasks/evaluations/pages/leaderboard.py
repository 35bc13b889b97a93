"""The leaderboard of a release: what is compared, handing in predictions, withdrawing them."""

from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.access.guards.pages import BOTH, member_page
from tasks.access.guards.roles import RESULTS
from tasks.evaluations.leaderboard_forms import (
    PredictionsForm,
    SubmissionWithdrawalForm,
    split_choices,
)
from tasks.evaluations.pages.leaderboard_table import leaderboard_table
from tasks.evaluations.queries.leaderboard import (
    found_submission,
    latest_job,
    splits_of,
    usual_split_of,
)
from tasks.evaluations.workflow.submissions import (
    SubmissionError,
    ask_for_leaderboard,
    may_withdraw,
    submit_predictions,
    withdraw_submission,
)
from tasks.models import Membership, Release, Submission
from tasks.releases.shown.called import found_release
from tasks.votes.all_votes import asks_first
from tasks.web.addresses import page_at
from tasks.web.error_pages import told_while_store_is_down
from tomahto.interchange.reading.records import InputError


@page_at(
    "c/<slug:slug>/releases/<text:version>/leaderboard/",
    name="release-leaderboard",
    calls=("api-leaderboard", "api-submissions"),
    help="leaderboards.md",
)
@told_while_store_is_down
@member_page(RESULTS, BOTH)
def leaderboard(request: HttpRequest, membership: Membership, version: str) -> HttpResponseBase:
    """The systems on a split of the release; a POST hands in the predictions of another one."""
    release = found_release(membership.campaign, version)
    if asked := asks_first(request, membership, release.created_at):
        return asked
    split = request.GET.get("split") or usual_split_of(release)
    if split not in splits_of(release):
        raise Http404
    if request.method != "POST":
        form = PredictionsForm(release=release, initial={"split": split})
        return _page(request, membership, release, split, form)
    form, error = PredictionsForm(request.POST, request.FILES, release=release), ""
    if form.is_valid():
        try:
            submission = _submit(membership, release, form)
        except InputError as wrong:
            error = str(wrong)
        except SubmissionError as wrong:
            form.add_error(wrong.field or None, str(wrong))
        else:
            messages.success(
                request, _("The predictions have been received and will be scored by a worker.")
            )
            return _back(submission)
    return _page(request, membership, release, split, form, error)


@page_at(
    "c/<slug:slug>/releases/<text:version>/leaderboard/<int:number>/withdraw/",
    name="release-submission-withdraw",
    calls=("api-submission-withdrawal",),
)
@member_page(RESULTS, BOTH)
def withdraw(
    request: HttpRequest, membership: Membership, version: str, number: int
) -> HttpResponseBase:
    """Ask for the reason, and withdraw the submission with it."""
    try:
        submission = found_submission(membership, version, number)
    except Submission.DoesNotExist:
        raise Http404 from None
    if not may_withdraw(submission, membership):
        raise PermissionDenied
    if submission.withdrawn:
        return _back(submission)
    form = SubmissionWithdrawalForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            withdraw_submission(
                submission=submission, reason=form.cleaned_data["reason"], by=membership
            )
        except SubmissionError as wrong:  # by somebody else, meanwhile
            messages.error(request, str(wrong))
        else:
            messages.success(request, _("The submission has been withdrawn."))
        return _back(submission)
    context = {"membership": membership, "submission": submission, "form": form}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "evaluations/submission_withdraw.html", context, status=status)


def _submit(membership: Membership, release: Release, form: PredictionsForm) -> Submission:
    """Raises InputError and SubmissionError."""
    chosen = form.cleaned_data
    return submit_predictions(
        release=release,
        name=chosen["name"],
        description=chosen["description"],
        content=chosen["file"].read(),
        file_name=chosen["file"].name,
        format=chosen["format"],
        split=chosen["split"],
        by=membership,
    )


def _back(submission: Submission) -> HttpResponse:
    release = submission.release
    page = reverse("release-leaderboard", args=[release.campaign.slug, release.version])
    response = redirect(f"{page}?{urlencode({'split': submission.split})}")
    response.status_code = HTTPStatus.SEE_OTHER
    return response


def _page(
    request: HttpRequest,
    membership: Membership,
    release: Release,
    split: str,
    form: PredictionsForm,
    error: str = "",
) -> HttpResponse:
    shown = ask_for_leaderboard(release, split)
    withdrawable = {
        entry.submission.pk
        for entry in shown.entries
        if entry.state != "withdrawn" and may_withdraw(entry.submission, membership)
    }
    context = {
        "membership": membership,
        "release": release,
        "split": split,
        "splits": split_choices(release),
        "shown": shown,
        "table": leaderboard_table(shown, request.GET.get("by", "")),
        "job": latest_job(release, split),
        "withdrawable": withdrawable,
        "form": form,
        "error": error,
    }
    is_refused = bool(error or form.errors)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, "evaluations/leaderboard.html", context, status=status)
