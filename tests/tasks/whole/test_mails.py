"""Every mail in every language: whole as text and as HTML, and in that language alone."""

import re
from html import unescape

import pytest
from django.conf import settings as site
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from tests.mails import QUOTED, sample_mails

SITE = "https://site.example"
# words of people, and names, which are in no language
_AS_THEY_ARE = re.compile(r"> .*|https://\S+|“?Rivers & lakes”?|Seas|rater-7f3a|Ann Lee|oak|ann")


@pytest.fixture(autouse=True)
def address(settings: Settings) -> None:
    settings.SITE_URL = SITE


def parts_of(message: EmailMultiAlternatives) -> tuple[str, str]:
    [(page, kind)] = message.alternatives
    assert kind == "text/html"
    return str(message.body), str(page)


def lines_of(message: EmailMultiAlternatives) -> set[str]:
    """Its texts, without people's words and addresses."""
    text = _AS_THEY_ARE.sub("", f"{message.subject}\n{message.body}")
    return {line for line in text.splitlines() if re.search(r"[^\W\d_]{3}", line)}


@pytest.mark.parametrize("language", dict(site.LANGUAGES))
def test_every_mail_is_whole(language: str) -> None:
    for name, message in sample_mails(language).items():
        text, page = parts_of(message)
        raw = message.message().as_string()
        assert "\n" not in message.subject, name
        assert message.message().get_content_type() == "multipart/alternative"
        assert re.findall(r"<html lang=\"(\w+)\"", page) == [language], name
        # every link is a text in both, and the page asks for nothing else from anywhere
        links = set(re.findall(rf"{SITE}/\S+", text))
        assert links, name
        assert links == set(re.findall(r'href="([^"]*)"', page)), name
        assert all(f">{link}</a>" in page for link in links), name
        assert not re.search(r"<(?:img|script|link|style|iframe)|url\(|\bsrc=", page), name
        # no markup is left over: neither a template's nor HTML's in the text
        assert not re.search(r"\{[{%]|[}%]\}|%\(|\n{3}|None", text + page), name
        assert "&amp;" not in text, name
        assert text == unescape(text), name
        assert "Tomahto" in raw or message.from_email.startswith('"River lab, Ghent"')


@pytest.mark.parametrize("language", [code for code, _ in site.LANGUAGES if code != "en"])
def test_no_mail_has_english_left_in_it(language: str) -> None:
    english, translated = sample_mails("en"), sample_mails(language)
    for name, message in translated.items():
        assert lines_of(message) & lines_of(english[name]) == set(), name


def test_words_of_people_are_quoted_and_escaped() -> None:
    text, page = parts_of(sample_mails("en")["invitation"])
    assert "\n".join(f"> {line}" for line in QUOTED.splitlines()) in text
    assert "Thanks &amp; see you on Monday &lt;Room 4&gt;" in page
