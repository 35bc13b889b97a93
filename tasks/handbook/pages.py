"""The documentation as pages of the site: offline, and of the version that runs."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.handbook.queries.documents import DOCUMENTS, FOLDER, document
from tasks.web.addresses import page_at

_NO_CALL = "programs read the files of docs/"


@page_at("docs/", name="documents", no_call=_NO_CALL, help="pages.md")
@require_safe
def documents(request: HttpRequest) -> HttpResponseBase:
    """Every page with its sections."""
    return render(request, "handbook/list.html", {"documents": map(document, DOCUMENTS)})


@page_at("docs/<slug:name>/", name="document", no_call=_NO_CALL)
@require_safe
def page(request: HttpRequest, name: str) -> HttpResponseBase:
    try:
        found = document(name)
    except KeyError:
        raise Http404 from None
    return render(request, "handbook/document.html", {"document": found})


@page_at("docs/images/<text:name>", name="document-image", no_call=_NO_CALL)
@require_safe
def image(request: HttpRequest, name: str) -> HttpResponseBase:  # noqa: ARG001 - Django's
    """A picture of the documentation."""
    for picture in (FOLDER / "images").glob("*.png"):
        if picture.name == name:
            return FileResponse(picture.open("rb"), content_type="image/png")
    raise Http404
