"""Answers and their words: in which language a rater is asked, the answers that a form holds, and
an answer as people read it."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils.translation.trans_real import parse_accept_lang_header

from tasks.models import Campaign, Outcome
from tasks.protocols.definition import AnnotationProtocol
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


def answers_in(post: QueryDict, protocol: AnnotationProtocol) -> dict[str, str]:
    """The canonical answers a rating form holds, those included that an earlier one has closed.

    Raises AnswersError for an answer that the protocol does not know.
    """
    return {
        question.key: question.canonical(given)
        for question in protocol.questions
        if (given := post.getlist(question.key))
    }


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """An answer in words. `steps` are the answers behind the label, where that says more."""

    label: str
    steps: str


def shown_answer(outcome: Outcome, protocol: AnnotationProtocol) -> ShownAnswer:
    label = next(each.title for each in protocol.labels if each.value == outcome.label)
    if len(protocol.questions) == 1:
        return ShownAnswer(label, "")
    steps = []
    for number, question in enumerate(protocol.questions, start=1):
        chosen = outcome.answers.get(question.key, "").split("+")
        titles = [choice.title for choice in question.choices if choice.value in chosen]
        if titles:
            steps.append(f"{number} {', '.join(titles)}")
    return ShownAnswer(label, " · ".join(steps))
