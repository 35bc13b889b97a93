"""The documentation as pages of the site: offline, and of the version that runs."""

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tasks.handbook.queries.documents import FIRST, FOLDER, document, excerpt, names, sections_with
from tasks.web.addresses import page_at

MAX_WORDS = 200  # characters
MOST = 50  # results that are shown
_NO_CALL = "programs read the files of docs/"


@page_at("docs/", name="documents", no_call=_NO_CALL, help="pages.md#help")
@require_safe
def documents(request: HttpRequest) -> HttpResponseBase:
    """The first page, or what is found by the words of `q`."""
    words = request.GET.get("q", "")[:MAX_WORDS].strip()
    if not words:
        return render(request, "handbook/document.html", {"document": document(FIRST)})
    found = sections_with(words)
    shown = [each._replace(text=excerpt(each, words)) for each in found[:MOST]]
    context = {"words": words, "count": len(found), "sections": shown}
    return render(request, "handbook/results.html", context)


@page_at("docs/<slug:name>/", name="document", no_call=_NO_CALL)
@require_safe
def page(request: HttpRequest, name: str) -> HttpResponseBase:
    if name not in names():
        raise Http404
    return render(request, "handbook/document.html", {"document": document(name)})


@page_at("docs/images/<text:name>", name="document-image", no_call=_NO_CALL)
@require_safe
def image(request: HttpRequest, name: str) -> HttpResponseBase:  # noqa: ARG001 - Django's
    for picture in (FOLDER / "images").glob("*.png"):
        if picture.name == name:
            return FileResponse(picture.open("rb"), content_type="image/png")
    raise Http404
