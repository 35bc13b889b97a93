"""The envelope of a mail: sender, address for replies, and what a server says of it."""

from smtplib import SMTPAuthenticationError, SMTPDataError, SMTPRecipientsRefused

import pytest
from pytest_django import Settings

from tasks.models import Campaign
from tasks.web.outgoing import Mail, Part, compose, refusal_of

MAIL = Mail("Two\nlines", [Part("Hello"), Part("Look", "https://a.example/")], [Part("Bye")])


@pytest.mark.parametrize(
    ("campaign", "sender", "reply_to"),
    [
        (None, "Tomahto <site@example.org>", []),
        (Campaign(), "Tomahto <site@example.org>", []),
        (
            Campaign(mail_sender_name="Lab, “Zoë”", mail_reply_to="lab@example.org"),
            '"Lab, “Zoë”" <site@example.org>',
            ["lab@example.org"],
        ),
    ],
)
def test_the_campaign_names_sender_and_address_for_replies(
    settings: Settings, campaign: Campaign | None, sender: str, reply_to: list[str]
) -> None:
    settings.DEFAULT_FROM_EMAIL = "Tomahto <site@example.org>"
    message = compose(MAIL, to=["ann@example.org"], campaign=campaign, name="mail-7")
    assert (message.from_email, message.reply_to) == (sender, reply_to)
    assert message.subject == "Two lines"
    assert message.body == "Hello\n\nLook:\nhttps://a.example/\n\n--\n\nBye\n"
    assert message.extra_headers == {
        "Auto-Submitted": "auto-generated",
        "Message-ID": "<mail-7@example.org>",
    }


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SMTPRecipientsRefused({"a@b": (550, b"no \xff such")}), ("550 no \ufffd such", True)),
        (SMTPRecipientsRefused({"a@b": (450, b"later")}), ("450 later", False)),
        (SMTPDataError(554, b"spam"), ("554 spam", True)),
        (SMTPDataError(451, "later"), ("451 later", False)),
        # the site's own password, which somebody corrects
        (SMTPAuthenticationError(535, b"no"), ("(535, b'no')", False)),
        (TimeoutError(), ("TimeoutError", False)),
    ],
)
def test_a_refusal_for_good_is_known(error: Exception, reason: tuple[str, bool]) -> None:
    assert refusal_of(error) == reason
