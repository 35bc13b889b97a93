"""The inbox on its page: what comes first, marks, and whose it is."""

from tasks.models import Membership, Notice, Thread
from tests.factories import make_campaign, make_item, make_member, make_user
from tests.tasks.browsers import compact, signed_in
from tests.tasks.talk.conversations import flagged_by, inbox_of, say, thread

__all__ = ["thread"]


def entries(member: Membership) -> list[tuple[str, int]]:
    """Text and number of unread messages of each entry, in the order of the page."""
    page = signed_in(member).get("/inbox/").context["entries"]
    return [(entry.message.text, entry.unread) for entry, _author in page]


def test_unread_threads_of_all_campaigns_come_first(rater: Membership, admin: Membership) -> None:
    lakes = make_campaign("lakes", title="Lakes")
    make_item(lakes)
    there = make_member(lakes, "rater", "fern")
    assert admin.user is not None
    Membership.objects.create(
        campaign=lakes, user=admin.user, name="oak", pseudonym="P-9", role="admin"
    )
    first, second = (
        Thread.objects.get(item=flagged_by(who, text).item)
        for who, text in (
            (rater, "first"),
            (there, "second"),
        )
    )
    say(first, rater, "third")
    assert entries(admin) == [("third", 2), ("second", 1)]
    signed_in(admin).get(f"/c/rivers/threads/{first.pk}/")
    assert entries(admin) == [("second", 1), ("third", 0)]
    signed_in(admin).get(f"/c/lakes/threads/{second.pk}/")
    assert entries(admin) == [("third", 0), ("second", 0)]
    assert entries(there) == []


def test_marks_of_one_entry_and_of_all(
    thread: Thread, rater: Membership, admin: Membership
) -> None:
    say(thread, rater, "Hello?")
    entry = Notice.objects.filter(member=admin).latest("pk")
    client = signed_in(admin)
    for mark, left in (("read", 0), ("unread", 1), ("all", 0)):
        response = client.post("/inbox/mark/", {"entry": entry.pk, "mark": mark})
        assert (response.status_code, response["Location"]) == (302, "/inbox/")
        assert entries(admin) == [("Hello?", left)]


def test_marks_are_of_ones_own_inbox(thread: Thread, rater: Membership, admin: Membership) -> None:
    entry = Notice.objects.get(member=admin)
    client = signed_in(rater)
    sent = {"entry": entry.pk, "mark": "read"}
    assert client.post("/inbox/mark/", sent).status_code == 404
    client.post("/inbox/mark/", {"mark": "all"})
    assert len(inbox_of(admin)) == 1
    for wrong in ({"entry": "x", "mark": "read"}, {"entry": "9" * 40, "mark": "read"}, {}):
        assert client.post("/inbox/mark/", wrong).status_code == 400
    assert signed_in(admin).post("/inbox/mark/", {**sent, "mark": "star"}).status_code == 400


def test_empty_inbox_says_what_will_be_there(db: None) -> None:
    html = compact(signed_in(make_user("moss")).get("/inbox/").content.decode())
    assert "When you flag an item, the admins’ answer appears here." in html
    assert "Mark all as read" not in html
