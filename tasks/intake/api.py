"""Files for a campaign, each the whole body of a call. For admins."""

from collections.abc import Iterator
from itertools import groupby
from typing import IO, Any

from django.core.files.uploadedfile import UploadedFile
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.decorators import content_negotiation_class, parser_classes
from rest_framework.exceptions import APIException, NotFound, ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN
from tasks.access.guards.operations import call_at, post
from tasks.intake.forms import MAX_UPLOAD, UploadForm
from tasks.intake.workflow.files import KINDS, TELLING, on_disk, take_in
from tasks.intake.workflow.import_of import EXAMPLES
from tasks.models import Membership
from tasks.votes.all_votes import AllVotesParameters, require_asked
from tasks.web.api_errors import InputErrorSerializer
from tasks.web.calls import FileParser, OneKindOfAnswer, TooLarge, asked_of, require_valid
from tasks.web.page import row_number
from tomahto.interchange.table import format_names, import_formats

_PIECE = 1 << 20
_KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=tuple(KINDS))


class LengthRequired(APIException):
    """A file whose length is not told could end anywhere and still look whole."""

    status_code = 411


def _formats_by_kind() -> str:
    """As "items and ratings jsonl or csv; …"."""
    return "; ".join(
        f"{' and '.join(kinds)} {', '.join(names[:-1])} or {names[-1]}"
        for names, kinds in groupby(KINDS, format_names)
    )


class ImportParameters(AllVotesParameters):
    format = serializers.ChoiceField(
        required=False,
        choices=sorted(each.name for each in import_formats()),
        help_text=f"By default detected from the file: {_formats_by_kind()}.",
    )
    system = serializers.CharField(
        required=False,
        max_length=150,
        help_text="System that made the predictions; required for predictions.",
    )
    matcher = serializers.CharField(
        required=False, max_length=80, help_text="Name of the matcher; required for suggestions."
    )
    low = serializers.FloatField(required=False, help_text="Lowest possible score; default 0.")
    high = serializers.FloatField(required=False, help_text="Highest possible score; default 1.")
    threshold = serializers.FloatField(
        required=False,
        help_text="Threshold at which an answer is accepted; default the middle of the range.",
    )
    rate_exact = serializers.BooleanField(
        default=False, help_text="Also rate predictions that match a reference exactly."
    )
    newest = serializers.BooleanField(
        default=False,
        help_text="Keep the newest of several ratings of an item by one rater (label-studio).",
    )
    name = serializers.CharField(
        required=False,
        max_length=255,
        default="upload",
        help_text="Name of the file in error messages.",
    )


class SkippedSerializer(serializers.Serializer[Any]):
    line = serializers.IntegerField()
    id = serializers.CharField(allow_null=True, help_text="As written in the file.")
    reason = serializers.CharField()


class ImportSerializer(serializers.Serializer[Any]):
    """Numbers of imported records by type: `items_created`, `items_existing` and so on."""

    counts = serializers.DictField(child=serializers.IntegerField())
    skipped = SkippedSerializer(
        many=True, help_text=f"Skipped records: the first {EXAMPLES} for each reason."
    )
    skipped_by_reason = serializers.DictField(child=serializers.IntegerField())
    skipped_in_all = serializers.IntegerField()


@call_at("v1/campaigns/<slug:slug>/imports/<slug:kind>", name="api-import")
@post(
    "import_file",
    ADMIN,
    asks=ImportParameters,
    headers=(_KIND,),
    takes={"application/octet-stream": OpenApiTypes.BINARY},
    gives={200: ImportSerializer, 400: (InputErrorSerializer, "The error and its line.")},
    refuses={
        409: "Another import into the campaign is running; or the file holds ratings and the "
        "caller judges in the campaign, to whom the result would reveal existing votes.",
        411: "The header Content-Length is required.",
        413: f"At most {MAX_UPLOAD >> 20} MB are accepted.",
    },
)
@parser_classes([FileParser])
@content_negotiation_class(OneKindOfAnswer)
def import_file(request: Request, member: Membership, kind: str) -> Response:
    """Import a file, whole or not at all: the body is the file.

    Existing records are left alone, so that a repeated call adds nothing.
    """
    campaign = member.campaign
    if kind not in KINDS:
        raise NotFound(f"no such kind of file; known: {', '.join(KINDS)}")
    asked = asked_of(request, ImportParameters)
    if kind in TELLING:
        require_asked(request, member)
    size = _size(request)
    with on_disk(_pieces(request.stream, size)) as path:
        upload = UploadedFile(None, name=asked["name"], size=size)
        form = UploadForm(kind, dict(asked), {"file": upload})
        require_valid(form)
        intake = take_in(campaign=campaign, kind=kind, file=form.handed_in(path, asked["name"]))
    skipped, reasons = intake.pop("skipped", []), intake.pop("skipped_by_reason", {})
    body = {
        "counts": intake,
        "skipped": skipped,
        "skipped_by_reason": reasons,
        "skipped_in_all": sum(reasons.values()),
    }
    return Response(body)


def _size(request: Request) -> int:
    """The size of the body. Raises LengthRequired and TooLarge before any of it is read."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if request.META.get("HTTP_TRANSFER_ENCODING") or not length.isdecimal():
        raise LengthRequired("the length of the file is missing: send Content-Length")
    size = row_number(length)
    if size is None or size > MAX_UPLOAD:
        raise TooLarge(f"the file is larger than {MAX_UPLOAD >> 20} MB")
    return size


def _pieces(stream: "IO[Any] | None", size: int) -> Iterator[bytes]:
    """The body. Raises ParseError if the connection ended before the file did."""
    missing = size
    while stream is not None and missing and (piece := stream.read(min(missing, _PIECE))):
        yield piece
        missing -= len(piece)
    if missing:
        raise ParseError(f"the file ended {missing:,} bytes before its end")
