"""Threads, inbox and shared answers on pages: who sees which, and how they are shown."""

import re
from datetime import timedelta

import pytest
from django.db.models.functions import Now
from django.test import Client

from tasks.adjudication.workflow import adjudicate
from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Campaign, Membership, Message, OpenedAnswer, Thread
from tasks.rating.workflow.records import raise_flag
from tasks.talk import workflow
from tasks.votes.workflow import show_votes
from tests.factories import make_campaign, make_item, make_member, make_user
from tests.tasks.browsers import HTMX, compact, signed_in
from tests.tasks.talk.conversations import (
    REASON,
    answer,
    flagged_by,
    held_by,
    hold,
    inbox_of,
    rate,
    say,
    thread,
)

__all__ = ["thread"]


def address_of(thread: Thread) -> str:
    return f"/c/rivers/threads/{thread.pk}/"


def read(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return compact(response.content.decode())


def key_in(html: str) -> str:
    found = re.search(r'name="idempotency_key"\s+value="([^"]+)"', html)
    assert found is not None
    return found[1]


def test_flag_answer_and_last_word_on_the_pages(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    admins, raters = signed_in(admin), signed_in(rater)
    address = address_of(thread)
    html = read(admins, address)
    assert f"Conversation with {rater.pseudonym}" in html
    assert "pine" not in html
    sent = {"text": "Which sentence?\r\nThe last?", "idempotency_key": key_in(html)}
    for _twice in range(2):
        response = admins.post(address, sent)
        message = Message.objects.latest("pk")
        assert (response.status_code, response["Location"]) == (
            302,
            f"{address}#message-{message.pk}",
        )
    assert thread.messages.count() == 2
    html = read(raters, address)
    assert "Which sentence?\nThe last?" in html
    assert '<b dir="auto">oak</b><span class="hint">Admin</span>' in html
    raters.post(address, {"text": "Yes.", "idempotency_key": key_in(html)})
    assert f'href="{address}"' in read(admins, "/c/rivers/flags/")
    admins.post(f"/c/rivers/flags/{thread.item.flags.get().pk}/", {"settlement": "It is whole."})
    html = read(raters, address)
    assert "Flag settled" in html
    assert "It is whole." in html


def test_opening_a_thread_marks_it_read_for_oneself(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    other = make_member(thread.item.campaign, "admin")
    say(thread, rater, "Hello?")
    signed_in(admin).head(address_of(thread))
    assert len(inbox_of(admin)) == 2
    signed_in(admin).get(address_of(thread))
    assert (inbox_of(admin), inbox_of(other)) == ([], ["Hello?"])


def test_nobody_else_sees_a_thread(
    thread: Thread, rater: Membership, researcher: Membership
) -> None:
    fellow = make_member(thread.item.campaign, "rater")
    elsewhere = make_campaign("lakes")
    make_item(elsewhere)
    stranger = make_member(elsewhere, "admin")
    assert read(signed_in(rater), address_of(thread))
    for who in (fellow, researcher, stranger):
        client = signed_in(who)
        assert client.get(address_of(thread)).status_code == 404
        sent = {"text": "Hello", "idempotency_key": "key"}
        assert client.post(address_of(thread), sent).status_code == 404
    assert signed_in(stranger).get(f"/c/lakes/threads/{thread.pk}/").status_code == 404
    assert thread.messages.count() == 1


def test_admin_who_is_one_no_more_sees_only_their_own(thread: Thread, admin: Membership) -> None:
    Membership.objects.filter(pk=admin.pk).update(role="rater")
    client = signed_in(admin)
    assert client.get(address_of(thread)).status_code == 404
    assert REASON not in read(client, "/inbox/")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Write a message first."),
        (" \r\n ", "Write a message first."),
        ("x" * 2001, "at most 2000 characters"),
        ("a\0b", "Null characters are not allowed."),
    ],
)
def test_what_is_no_message_is_refused(
    thread: Thread, rater: Membership, text: str, says: str
) -> None:
    response = signed_in(rater).post(address_of(thread), {"text": text, "idempotency_key": "key"})
    assert response.status_code == 422
    assert says in response.content.decode()
    assert thread.messages.count() == 1


def test_line_breaks_count_as_the_browser_counts_them(thread: Thread, rater: Membership) -> None:
    text = "\r\n".join(["x" * 99] * 20)
    sent = {"text": text, "idempotency_key": "key"}
    assert signed_in(rater).post(address_of(thread), sent).status_code == 302
    assert thread.messages.latest("pk").text == text.replace("\r\n", "\n")


def test_too_many_messages_keep_what_was_typed(
    thread: Thread, rater: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow, "MOST_PER_HOUR", 1)
    sent = {"text": "Once more.", "idempotency_key": "key"}
    response = signed_in(rater).post(address_of(thread), sent)
    html = response.content.decode()
    assert response.status_code == 422
    assert "You have sent many messages in the last hour." in html
    assert "Once more.</textarea>" in html


def test_foreign_text_is_inert_and_links_lead_where_they_say(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    text = (
        "<script>alert(1)</script> javascript:alert(1) "
        'see (https://example.org/a_(b)?c=1&d="x), https://example.org/<b>. @oak!'
    )
    say(thread, rater, text)
    html = read(signed_in(admin), address_of(thread))
    shown = html[html.rindex('<p class="message-text"') :].partition("</p>")[0]
    rel = 'rel="nofollow noopener noreferrer ugc" target="_blank"'
    assert shown == (
        '<p class="message-text" dir="auto">&lt;script&gt;alert(1)&lt;/script&gt; '
        "javascript:alert(1) "
        f'see (<a href="https://example.org/a_(b)?c=1&amp;d=" {rel}>https://example.org/a_(b)?c=1&amp;d='
        f'</a>&quot;x),<a href="https://example.org/" {rel}>https://example.org/</a>&lt;b&gt;.'
        '<b class="named">@oak</b>!'
    )


def test_signed_out_pages_ask_for_no_inbox(db: None) -> None:
    assert "Inbox" not in Client().get("/login/").content.decode()


def test_rater_who_has_left_sees_nothing_until_they_are_back(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    say(thread, admin, "sentinel")
    client = signed_in(rater)
    for is_active in (False, True):
        Membership.objects.filter(pk=rater.pk).update(is_active=is_active)
        assert client.get(address_of(thread)).status_code == (200 if is_active else 404)
        say(thread, admin, f"sentinel {is_active}")
        inbox = read(client, "/inbox/")
        assert ("sentinel" in inbox, "badge" in inbox) == (is_active, is_active)


@pytest.mark.parametrize("way", ["holds it", "was given it"])
def test_admin_who_is_to_rate_the_item_sees_nothing_of_its_threads_until_they_have(
    rater: Membership, admin: Membership, way: str
) -> None:
    flag = flagged_by(rater, "sentinel: I said different.")
    thread = Thread.objects.get()
    if way == "holds it":
        hold(admin, flag.item_id)
    else:
        free = flag.item.slots.filter(is_filled=False)
        free.update(given_to=admin, given_until=Now() + timedelta(days=1))
    client = signed_in(admin)
    for place in ("/inbox/", "/c/rivers/flags/", f"/c/rivers/items/{flag.item_id}/"):
        html = read(client, place)
        assert ("sentinel" in html, ">unread<" in html) == (False, False)
    sent = {"text": "Hello", "idempotency_key": "key"}
    for response in (client.get(address_of(thread)), client.post(address_of(thread), sent)):
        assert response.status_code == 404
    assert (thread.messages.count(), len(inbox_of(admin))) == (1, 1)  # it waits
    rate(held_by(admin))
    assert "sentinel" in read(client, address_of(thread))


def test_page_of_the_item_shows_threads_to_admins_who_may_see_its_votes(
    thread: Thread, rater: Membership, admin: Membership, researcher: Membership
) -> None:
    address = f"/c/rivers/items/{thread.item_id}/"
    client, write = signed_in(admin), f"{address}write/{rater.pseudonym}/"
    assert "Conversations" not in read(client, address)
    response = client.get(write)
    assert (response.status_code, response["Location"]) == (302, address)
    for who in (admin, researcher):
        show_votes(member=who, items=[thread.item_id])
    html = read(client, address)
    assert (REASON in html, f'href="{write}"' in html) == (True, True)
    assert client.get(write)["Location"] == address_of(thread)  # where it goes on
    assert "Conversations" not in read(signed_in(researcher), address)


def test_admin_begins_a_conversation_with_somebody_who_has_rated(
    rater: Membership, admin: Membership
) -> None:
    assignment = held_by(rater)
    rate(assignment)
    fellow = make_member(rater.campaign)
    show_votes(member=admin, items=[assignment.item_id])
    client, item = signed_in(admin), f"/c/rivers/items/{assignment.item_id}/"
    assert client.get(f"{item}write/{fellow.pseudonym}/").status_code == 404
    address = f"{item}write/{rater.pseudonym}/"
    sent = {"text": "Why?", "idempotency_key": key_in(read(client, address))}
    assert client.post(address, sent)["Location"].startswith(address_of(Thread.objects.get()))
    assert "Why?" in read(signed_in(rater), "/inbox/")


def test_first_message_goes_into_a_thread_that_came_while_it_was_written(
    rater: Membership, admin: Membership
) -> None:
    assignment = held_by(rater)
    rate(assignment)
    show_votes(member=admin, items=[assignment.item_id])
    address = f"/c/rivers/items/{assignment.item_id}/write/{rater.pseudonym}/"
    key = key_in(read(signed_in(admin), address))
    raise_flag(assignment=assignment, reason=REASON)
    signed_in(admin).post(address, {"text": "Please look again.", "idempotency_key": key})
    texts = Message.objects.order_by("pk").values_list("text", flat=True)
    assert list(texts) == [REASON, "Please look again."]


def test_decision_that_settles_is_by_the_admins_and_says_nothing_of_others(
    rater: Membership, admin: Membership, researcher: Membership
) -> None:
    Campaign.objects.update(adjudicates_blind=False)
    flag = flagged_by(rater)
    raise_flag(assignment=hold(admin, flag.item_id), reason="I do not know.")
    adjudicate(
        item=flag.item,
        adjudicator=Membership.objects.get(pk=researcher.pk),
        answers={"q1": True},
        reason="Two voted otherwise.",
        idempotency_key="decision",
        settles_flags=True,
    )
    html = read(signed_in(rater), address_of(Thread.objects.get(rater=rater)))
    assert '<b dir="auto">Admins</b>' in html
    assert researcher.name not in html
    # the admin is still to rate the item
    assert "Two voted otherwise." not in read(signed_in(admin), "/c/rivers/flags/")


def test_rater_sees_where_the_answer_comes_and_that_it_has_come(
    rater: Membership, admin: Membership
) -> None:
    client = signed_in(rater)
    assignment = client.get("/c/rivers/rate/").context["page"].assignment.pk
    flag = f"/c/rivers/rate/{assignment}/flag/"
    html = client.post(flag, {"reason": REASON}, headers=HTMX).content.decode()
    assert "will answer in your inbox. You can still" in html
    assert "new messages for you" not in read(client, "/c/rivers/rate/")
    say(Thread.objects.get(), admin, "sentinel")
    html = read(client, "/c/rivers/rate/")
    assert "1 conversation has new messages for you" in html
    assert '<span class="badge">1<span class="unseen">unread</span></span>' in html
    assert "sentinel" not in html


def test_flood_of_flags_is_refused_beside_the_form(
    rater: Membership, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workflow, "MOST_PER_HOUR", 0)
    client = signed_in(rater)
    assignment = client.get("/c/rivers/rate/").context["page"].assignment.pk
    flag = f"/c/rivers/rate/{assignment}/flag/"
    refused = client.post(flag, {"reason": REASON}, headers=HTMX)
    assert refused.status_code == 422
    assert "You have sent many messages in the last hour." in refused.content.decode()


def entries(member: Membership) -> list[tuple[str, int]]:
    """Text and number of unread messages of each entry, in the order of the page."""
    page = signed_in(member).get("/inbox/").context["entries"]
    return [(entry.message.text, entry.unread) for entry, _author in page]


def test_unread_threads_of_all_campaigns_come_first(rater: Membership, admin: Membership) -> None:
    lakes = make_campaign("lakes", title="Lakes")
    make_item(lakes)
    there = make_member(lakes, "rater", "fern")
    assert admin.user is not None
    add_member(campaign=lakes, user=admin.user, role="admin")
    first = Thread.objects.get(item=flagged_by(rater, "first").item)
    second = Thread.objects.get(item=flagged_by(there, "second").item)
    say(first, rater, "third")
    assert entries(admin) == [("third", 2), ("second", 1)]
    signed_in(admin).get(f"/c/rivers/threads/{first.pk}/")
    assert entries(admin) == [("second", 1), ("third", 0)]
    signed_in(admin).get(f"/c/lakes/threads/{second.pk}/")
    assert entries(admin) == [("third", 0), ("second", 0)]
    assert entries(there) == []


def test_everything_is_marked_as_read_in_ones_own_inbox(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    say(thread, admin, "Which one?")
    response = signed_in(admin).post("/inbox/")
    assert (response.status_code, response["Location"]) == (302, "/inbox/")
    assert (inbox_of(admin), inbox_of(rater)) == ([], ["Which one?"])


def test_empty_inbox_says_what_will_be_there(db: None) -> None:
    html = read(signed_in(make_user("moss")), "/inbox/")
    assert "When you flag an item, the admins’ answer appears here." in html
    assert "Mark all as read" not in html


def test_answer_for_everybody_is_shown_after_a_warning_and_opened_by_choice(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    message = say(thread, admin, "sentinel: the last sentence counts.")
    say(thread, rater, "for the admins alone")
    admins, share = signed_in(admin), f"{address_of(thread)}messages/{message.pk}/share/"
    assert f'href="{share}"' in read(admins, address_of(thread))
    assert "An answer that hints at a label influences votes." in read(admins, share)
    fellow = make_member(rater.campaign)
    desk = f"/c/rivers/rate/{hold(fellow, thread.item_id).pk}/"
    client = signed_in(fellow)
    closed_line = "The admins have answered a question about this item"
    assert closed_line not in read(client, desk)
    admins.post(share)
    assert "can open this answer; nobody has yet." in read(admins, address_of(thread))
    html = read(client, desk)
    assert (closed_line in html, "sentinel" in html) == (True, False)
    html = read(client, f"{desk}answers/")
    assert "sentinel: the last sentence counts." in html
    for hidden in (rater.pseudonym, "oak", REASON, "for the admins alone"):
        assert hidden not in html
    fragment = compact(client.get(f"{desk}answers/", headers=HTMX).content.decode())
    assert fragment == '<p class="message-text" dir="auto">sentinel: the last sentence counts.</p>'

    assert list(OpenedAnswer.objects.values_list("rater", flat=True)) == [fellow.pk]
    assert "1 rater has." in read(admins, address_of(thread))
    assert signed_in(rater).get(f"{desk}answers/").status_code == 404  # not their assignment


def test_only_admins_show_answers_and_only_their_own(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    other = make_member(rater.campaign, "admin")
    message = answer(thread, admin, "Yes.").message
    flag = thread.messages.get(kind="flag")
    for who, what, status in (
        (rater, message, 403),
        (other, message, 404),
        (admin, flag, 404),
        (admin, message, 200),
    ):
        share = f"{address_of(thread)}messages/{what.pk}/share/"
        assert signed_in(who).get(share).status_code == status
