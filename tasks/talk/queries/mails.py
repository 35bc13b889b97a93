"""Who is to be told of which messages by mail."""

from datetime import datetime, time, timedelta

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from tasks.models import InboxMail, MessageMails, Notice, User
from tasks.talk.queries.threads import is_rating_it, visible_notices

DIGEST_AT = time(6)  # by the site's clock


def untold_notices() -> QuerySet[Notice]:
    """Unread messages that no mail tells of yet, of people who want mails and whose time it is."""
    user = "member__user__"
    at_once = Q(**{f"{user}message_mails": MessageMails.AT_ONCE})
    daily = Q(**{f"{user}message_mails": MessageMails.DAILY})
    return Notice.objects.filter(
        visible_notices(),
        at_once | daily & Q(message__created_at__lt=last_digest_time(timezone.localtime())),
        ~Q(**{f"{user}email": ""}),
        read_at=None,
        mail=None,
        member__user__is_active=True,
        message__created_at__gte=F(f"{user}message_mails_since"),
    )


def last_digest_time(now: datetime) -> datetime:
    """The latest moment at which daily mails were to leave."""
    today = datetime.combine(now.date(), DIGEST_AT, now.tzinfo)
    return today if today <= now else today - timedelta(days=1)


def notices_to_tell(mail: InboxMail) -> QuerySet[Notice]:
    """What a mail tells: its notices that the person may still see and has not read, each with
    `is_held` as in the inbox."""
    return (
        Notice.objects.filter(visible_notices(), mail=mail, read_at=None)
        .select_related("message__author", "thread__rater", "thread__item", "member__campaign")
        .annotate(is_held=is_rating_it())
        .order_by("member__campaign__title", "thread", "pk")
    )


def wants_mail(user: User) -> bool:
    return bool(user.is_active and user.email and user.message_mails != MessageMails.NONE)
