"""Mails about messages: each notice in one mail at most, each mail sent again until it is taken.

Which notices a mail tells is stored before it is sent, so no worker that dies loses one or puts it
into another mail. One that dies between sending and noting so sends the same mail again, under the
same Message-ID, by which mail programs know it.
"""

import logging
from collections import defaultdict
from collections.abc import Callable

from django.db import transaction

from tasks.events.workflow.attempts import note_failure, note_sent, take_due_deliveries
from tasks.models import Channel, Delivery, Notice
from tasks.talk.queries.inbox import untold_notices

AT_ONCE = 5000  # notices

logger = logging.getLogger(__name__)


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


def send_mails(send: Callable[[Delivery], None]) -> None:
    """Send what is due; what fails is tried again later, half a day long."""
    for mail in take_due_deliveries(user__isnull=False):
        try:
            send(mail)
        except Exception as error:  # whatever a mail server thinks of
            logger.warning("mail %s about messages could not be sent", mail.pk)
            note_failure(delivery=mail, error=str(error) or type(error).__name__)
        else:
            note_sent(delivery=mail)
