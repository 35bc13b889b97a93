"""The leaderboard of a release: what is compared, handing in predictions, withdrawing them."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import BOTH, member_page
from tasks.evaluations.forms import PredictionsForm, SubmissionWithdrawalForm, split_choices
from tasks.evaluations.queries.leaderboard import (
    ShownLeaderboard,
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
from tasks.releases.shown import found_release
from tasks.votes.all_votes import votes_warning_page
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms, see_other, told_while_store_is_down
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
    if asked := votes_warning_page(request, membership, release.created_at):
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
            chosen = form.cleaned_data
            submission = submit_predictions(
                release=release,
                name=chosen["name"],
                description=chosen["description"],
                content=chosen["file"].read(),
                file_name=chosen["file"].name,
                format=chosen["format"],
                split=chosen["split"],
                by=membership,
            )
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
    return page_with_forms(request, "evaluations/submission_withdraw.html", context)


def _back(submission: Submission) -> HttpResponse:
    release = submission.release
    page = reverse("release-leaderboard", args=[release.campaign.slug, release.version])
    return see_other(f"{page}?{urlencode({'split': submission.split})}")


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


_SIGNED = 12  # digits of a release's digest in a signature


@dataclass(frozen=True, slots=True)
class Head:
    key: str
    title: str
    meaning: str
    signature: str
    threshold: float | None
    is_ranked: bool


@dataclass(frozen=True, slots=True)
class TableRow:
    """A submission. `cells` are estimates or reasons for there being none, in the order of the
    heads. `ahead` is the share of replicates in which it is ahead of the next row; `starts_group`:
    it is told apart from all rows above."""

    submission: Submission
    ranks: tuple[int, int] | None
    starts_group: bool
    ahead: float | None
    cells: tuple[Mapping[str, Any], ...]
    settled: Mapping[str, int]
    settled_share: float


@dataclass(frozen=True, slots=True)
class LeaderboardTable:
    """`heads` begin with the metric that the rows are in the order of."""

    heads: tuple[Head, ...]
    rows: tuple[TableRow, ...]
    digest: str
    questions: int

    @property
    def by(self) -> Head:
        return self.heads[0]

    @property
    def choices(self) -> list[Head]:
        return sorted((head for head in self.heads if head.is_ranked), key=lambda head: head.title)


def leaderboard_table(shown: ShownLeaderboard, by: str) -> LeaderboardTable | None:
    """In the order of the metric `by`, or of the first one if it names none that has an order.

    None while nothing is worked out, or if there is no question to compare systems on.
    """
    if shown.content is None or not shown.content["metrics"]:
        return None
    metrics = {metric["key"]: metric for metric in shown.content["metrics"]}
    first = next(iter(metrics.values()))
    chosen = metrics.get(by, first)
    chosen = chosen if chosen["is_ranked"] else first
    ordered = [chosen, *(metric for metric in metrics.values() if metric is not chosen)]
    return LeaderboardTable(
        heads=tuple(
            Head(
                metric["key"],
                *_metric_words(metric["key"]),
                signature=f"{metric['version']}|release:{shown.content['digest'][:_SIGNED]}",
                threshold=metric["threshold"],
                is_ranked=metric["is_ranked"],
            )
            for metric in ordered
        ),
        rows=_table_rows(shown, shown.content, ordered),
        digest=shown.content["digest"],
        questions=shown.content["questions"],
    )


def _table_rows(
    shown: ShownLeaderboard, content: Mapping[str, Any], metrics: list[Mapping[str, Any]]
) -> tuple[TableRow, ...]:
    compared = {
        entry.submission.pk: entry.submission
        for entry in shown.entries
        if entry.state == "compared"
    }
    order = [place["submission"] for place in metrics[0]["places"]]
    numbers = [number for number in dict.fromkeys((*order, *compared)) if number in compared]
    places = [{place["submission"]: place for place in metric["places"]} for metric in metrics]
    rows: list[TableRow] = []
    for number, after in zip(numbers, (*numbers[1:], None), strict=False):
        place = places[0].get(number) if shown.has_order else None
        before = places[0].get(rows[-1].submission.pk) if rows else None
        result = content["submissions"][str(number)]
        settled = result["settled"]
        rows.append(
            TableRow(
                submission=compared[number],
                ranks=tuple(place["ranks"]) if place else None,
                starts_group=bool(place and before and before["group"] != place["group"]),
                ahead=place["better"].get(str(after)) if place else None,
                cells=tuple(
                    _place_cell(metric["key"], found.get(number), result["failures"])
                    for metric, found in zip(metrics, places, strict=True)
                ),
                settled=settled,
                settled_share=1 - settled["open"] / content["questions"],
            )
        )
    return tuple(rows)


def _place_cell(
    key: str, place: Mapping[str, Any] | None, failures: Mapping[str, str]
) -> Mapping[str, Any]:
    if place is None:
        return {"value": None, "low": None, "high": None, "reason": failures.get(key, "no score")}
    mean: Mapping[str, Any] = place["mean"]
    return mean


def _metric_words(key: str) -> tuple[str, str]:
    """The title of a metric and what it means; a matcher's name is its title."""
    known = {
        "em": (_("EM"), _("The prediction equals a reference after SQuAD normalisation.")),
        "f1": (_("F1"), _("Overlap of tokens with the closest reference, from 0 to 1.")),
        "em_accepted": (
            _("EM, with accepted answers"),
            _(
                "The prediction equals a reference or a candidate that people accepted. A lower "
                "bound on the share of right predictions."
            ),
        ),
        "f1_accepted": (
            _("F1, with accepted answers"),
            _("Overlap of tokens with the closest reference or accepted candidate."),
        ),
        "at_most": (
            _("Upper bound"),
            _(
                "The same, with every prediction that nobody has judged counted as right. An "
                "upper bound, not a score: systems are not ranked by it."
            ),
        ),
    }
    return known.get(key) or (key, _("The matcher calls the prediction right."))
