"""In which words a rater is asked: in those of their language, where the campaign has them."""

from collections.abc import Iterator

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation.trans_real import parse_accept_lang_header

from tasks.models import Campaign
from tasks.protocols.wording import PUBLISHED, Wording

SWITCH = "words"
"""The parameter of an address that switches to the published words, or back."""


def wording_for(request: HttpRequest, campaign: Campaign) -> Wording:
    """The words that the reader of a page sees; a switch in its address is remembered."""
    own = own_wording(request, campaign)
    if own is PUBLISHED:
        return own
    if (asked := request.GET.get(SWITCH)) is not None:
        request.session[SWITCH] = asked
    return PUBLISHED if request.session.get(SWITCH) == "published" else own


def own_wording(request: HttpRequest, campaign: Campaign) -> Wording:
    """The words in the first language of the reader that the campaign has, or the published ones.

    The pages need not have that language.
    """
    offered = {wording.language: wording for wording in campaign.form_wordings}
    offered |= {PUBLISHED.language: PUBLISHED}
    return next(
        (offered[code] for code in _languages(request) if code in offered),
        PUBLISHED,
    )


def _languages(request: HttpRequest) -> Iterator[str]:
    """The language chosen for pages, and those of the browser, each followed by what it is a kind
    of: `pt-br` by `pt`."""
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, "").lower()
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    for code in (chosen, *(code for code, _weight in accepted)):
        yield code
        yield code.partition("-")[0]
