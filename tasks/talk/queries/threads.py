"""Which threads a member may see, and who takes part in one."""

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet

from tasks.models import (
    Assignment,
    AssignmentState,
    Flag,
    Item,
    Membership,
    Message,
    Notice,
    Rating,
    Role,
    Thread,
)

SHOWN = 100  # messages of a thread at a time, the latest


def threads_seen_by(member: Membership) -> QuerySet[Thread]:
    """All threads of the campaign for an admin, a rater's own for a rater, none while paused.

    Each is annotated with `is_held`: the member is rating the item of somebody else's thread.
    """
    threads = Thread.objects.filter(item__campaign=member.campaign)
    if not member.is_admin:
        threads = threads.filter(rater=member)
        if member.is_paused or not member.is_active:
            threads = threads.none()
    holds = Assignment.objects.filter(
        item=OuterRef("item"), rater=member, state=AssignmentState.ACTIVE
    )
    return threads.select_related("item__question", "item__campaign", "rater").annotate(
        is_held=Exists(holds.exclude(rater=OuterRef("rater")))
    )


def with_messages(threads: QuerySet[Thread]) -> QuerySet[Thread]:
    """The same, each with its latest messages under `latest_messages`, the newest first."""
    messages = Message.objects.select_related("author").order_by("-pk")[:SHOWN]
    return threads.prefetch_related(Prefetch("messages", messages, to_attr="latest_messages"))


def messages_of(thread: Thread) -> QuerySet[Message]:
    """The messages of a thread with their authors."""
    return Message.objects.filter(thread=thread).select_related("author")


def visible_notices() -> Q:
    """Of notices: those whose member may see the thread now, as `threads_seen_by` says."""
    own = Q(thread__rater=F("member"), member__is_paused=False)
    return Q(member__is_active=True) & (Q(member__role=Role.ADMIN) | own)


def is_rating_it() -> Exists:
    """Of notices: their member is rating the item of somebody else's thread."""
    holds = Assignment.objects.filter(
        item=OuterRef("thread__item"), rater=OuterRef("member"), state=AssignmentState.ACTIVE
    )
    return Exists(holds.exclude(rater=OuterRef("thread__rater")))


def admins_of(campaign_id: int) -> QuerySet[Membership]:
    """The admins of a campaign who can look at their inbox."""
    return Membership.objects.filter(
        campaign=campaign_id, role=Role.ADMIN, is_active=True, user__is_active=True
    ).order_by("name")


def open_flag_of(thread: Thread) -> Flag | None:
    """The rater's flag on the item while nobody has settled it."""
    return Flag.objects.filter(item=thread.item_id, rater=thread.rater_id, settled_at=None).first()


def raters_to_write_to(item: Item, admin: Membership) -> QuerySet[Membership]:
    """Who has rated the item and can read what the admin writes, by pseudonym."""
    rated = Rating.objects.filter(item=item, rater=OuterRef("pk"))
    people = Membership.objects.filter(Exists(rated), campaign=item.campaign_id, is_active=True)
    return people.filter(user__is_active=True).exclude(pk=admin.pk).order_by("pseudonym")


def unread_in(thread: Thread, member: Membership) -> int:
    """How many messages of the thread the member has not read."""
    return Notice.objects.filter(thread=thread, member=member, read_at=None).count()
