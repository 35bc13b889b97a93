"""Files from the browser: questions, predictions, items, ratings."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN
from tasks.access.guards.pages import BOTH, member_page
from tasks.intake.forms import MAX_UPLOAD, UploadForm
from tasks.intake.workflow.files import TELLING, on_disk, take_in
from tasks.models import Campaign, Membership
from tasks.storing.import_run import ImportRefused
from tasks.votes.all_votes import votes_warning_page
from tasks.web.addresses import Tab, page_at
from tomahto.interchange.reading.records import InputError
from tomahto.interchange.table import formats_of
from tomahto.text.spreadsheet import csv_records


@dataclass(frozen=True, slots=True)
class Skipped:
    """The number of records that were left out for a reason, and the first of them."""

    reason: str
    count: int
    examples: list[Any]


@dataclass(frozen=True, slots=True)
class UploadResult:
    """The result of a file, for the page. `skipped` has for each reason the number of records, and
    the first."""

    kind: str
    file: str
    counts: list[tuple[str, int]]
    skipped: list[Skipped]


@page_at(
    "c/<slug:slug>/import/",
    name="import",
    calls=("api-import",),
    tab=Tab(gettext_lazy("Import"), ADMIN),
    help="campaigns.md#importing",
)
@member_page(ADMIN, BOTH)
def uploads(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Four forms on one page. A file is taken in whole or not at all."""
    is_telling = request.POST.get("kind") in TELLING or "votes" in request.GET
    if is_telling and (asked := votes_warning_page(request, membership)):
        return asked
    forms = {name: UploadForm(name, prefix=name) for name in _KINDS}
    result, error = None, ""
    if request.method == "POST":
        name = request.POST.get("kind", "")
        if name not in _KINDS:
            raise BadRequest("no such kind of file")
        forms[name] = form = UploadForm(name, request.POST, request.FILES, prefix=name)
        if form.is_valid():
            try:
                result = _take_in(membership.campaign, name, form)
            except (InputError, ImportRefused) as wrong:
                error = str(wrong)
    is_refused = error or any(form.errors for form in forms.values())
    context = {
        "membership": membership,
        "forms": [
            (name, _title(name), _hint(name), example_of(name, membership.campaign), form)
            for name, form in forms.items()
        ],
        "result": result,
        "error": error,
        "limit": MAX_UPLOAD >> 20,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, "intake/import.html", context, status=status)


def _take_in(campaign: Campaign, kind: str, form: UploadForm) -> UploadResult:
    """Raises InputError and ImportRefused."""
    upload = form.cleaned_data["file"]
    with on_disk(upload.chunks()) as path:
        intake = take_in(campaign=campaign, kind=kind, file=form.handed_in(path, upload.name))
    examples, reasons = intake.pop("skipped", []), intake.pop("skipped_by_reason", {})
    skipped = [
        Skipped(reason, count, [each for each in examples if each["reason"] == reason])
        for reason, count in reasons.items()
    ]
    counts = [(_COUNTS[name](), number) for name, number in intake.items()]
    return UploadResult(_title(kind), upload.name, counts, skipped)


_KINDS: Final = ("items", "questions", "predictions", "ratings")


def _title(kind: str) -> str:
    return {
        "questions": _("Questions"),
        "predictions": _("Predictions"),
        "items": _("Items"),
        "ratings": _("Ratings"),
    }[kind]


def _hint(kind: str) -> str:
    return {
        "questions": _("Questions with passages and reference answers: %(formats)s."),
        "predictions": _(
            "One system’s answers to these questions. Answers that match a reference exactly are "
            "recorded but not rated; all others become items."
        ),
        "items": _(
            "Questions, references and candidates in one file, ready to rate: start here if you "
            "have all three. For items that train or check raters, set purpose to calibration or "
            "control and give the expected label."
        ),
        "ratings": _("Ratings collected elsewhere: %(formats)s."),
    }[kind] % {"formats": ", ".join(each.title for each in formats_of(kind))}


def example_of(kind: str, campaign: Campaign) -> str:
    """A file of this kind, as small as it can be; of items, one to rate and one to train on."""
    protocol = campaign.annotation_protocol
    item = {name: text for name, text in asdict(protocol.example).items() if text}
    label = protocol.labels[0].value
    live = item | {"system": "my-system", "purpose": "live", "expected": ""}
    return {
        "items": _csv(live, live | {"purpose": "calibration", "expected": label}),
        "questions": "id,question,reference\nq1,Where does it end?,in the sea\n",
        "predictions": '{"q1": "in the ocean"}\n',
        "ratings": _csv(item | {"rater": "ann", "label": label}),
    }[kind]


def _csv(*rows: Mapping[str, str]) -> str:
    records = csv_records([rows[0].keys(), *(row.values() for row in rows)])
    return "".join(records).replace("\r\n", "\n")


_COUNTS: Mapping[str, Callable[[], str]] = {
    "documents": lambda: _("new documents"),
    "questions": lambda: _("new questions"),
    "unanswerable": lambda: _("of them unanswerable: kept for SQuAD scores, not rated"),
    "references": lambda: _("references"),
    "candidates": lambda: _("new candidates"),
    "exact_matches": lambda: _("of them exact matches: recorded, not rated"),
    "empty": lambda: _("of them empty"),
    "items_created": lambda: _("new items"),
    "items_existing": lambda: _("items already in the campaign"),
    "unknown_questions": lambda: _("predictions for questions that are not in this campaign"),
    "ratings_created": lambda: _("new ratings"),
    "ratings_existing": lambda: _("ratings already in the campaign"),
    "raters": lambda: _("raters named in the file"),
}
