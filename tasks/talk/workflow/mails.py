"""Mails about messages: each notice in one mail at most, each mail sent again until it is taken.

Which notices a mail tells is stored before it is sent, so no worker that dies loses one or puts it
into another mail. One that dies between sending and noting so sends the same mail again, under the
same Message-ID, by which mail programs know it.
"""

from collections import defaultdict

from django.db import transaction

from tasks.models import Channel, Delivery, Notice
from tasks.talk.queries.inbox import untold_notices

AT_ONCE = 5000  # notices


def make_mails() -> None:
    """Put what is to be told into mails, one for each person."""
    untold: dict[int, list[int]] = defaultdict(list)
    rows = untold_notices().order_by("pk").values_list("member__user", "pk")
    for user, notice in rows[:AT_ONCE]:
        untold[user].append(notice)
    for user, notices in untold.items():
        with transaction.atomic():
            mail = Delivery.objects.create(user_id=user, channel=Channel.MAIL)
            if not Notice.objects.filter(pk__in=notices, mail=None).update(mail=mail):
                mail.delete()  # another worker was faster
