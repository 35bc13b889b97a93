"""Mails about messages: each notice in one mail at most, each mail sent again until it is taken.

Which notices a mail tells is stored before it is sent, so no worker that dies loses one or puts it
into another mail. One that dies between sending and noting so sends the same mail again, under the
same Message-ID, by which mail programs know it.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator

from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from tasks.events.workflow.attempts import MAX_ATTEMPTS, MAX_ERROR, delay_after
from tasks.models import InboxMail, Notice
from tasks.storing.reasons import as_reason
from tasks.talk.queries.mails import untold_notices

AT_ONCE = 5000  # notices

logger = logging.getLogger(__name__)


def make_mails() -> None:
    """Put what is to be told into mails, one for each person."""
    found: dict[int, list[int]] = defaultdict(list)
    rows = untold_notices().order_by("pk").values_list("member__user", "pk")
    for user, notice in rows[:AT_ONCE]:
        found[user].append(notice)
    for user, notices in found.items():
        with transaction.atomic():
            mail = InboxMail.objects.create(user_id=user)
            if not Notice.objects.filter(pk__in=notices, mail=None).update(mail=mail):
                mail.delete()  # another worker was faster


def send_mails(send: Callable[[InboxMail], None]) -> None:
    """Send what is due; what fails is tried again later, half a day long."""
    for mail in _take_due_mails():
        try:
            send(mail)
        except Exception as error:  # whatever a mail server thinks of
            logger.warning("mail %s about messages could not be sent", mail.uid)
            reason = as_reason(str(error) or type(error).__name__, MAX_ERROR)
            InboxMail.objects.filter(pk=mail.pk, sent_at=None).update(error=reason)
        else:
            InboxMail.objects.filter(pk=mail.pk).update(sent_at=Now(), error="")


def _take_due_mails() -> Iterator[InboxMail]:
    """Each is taken before it is handed out: its next attempt is put off."""
    is_due = Q(sent_at=None, not_before__lte=Now(), attempts__lt=MAX_ATTEMPTS)
    for mail in InboxMail.objects.filter(is_due).select_related("user").order_by("not_before"):
        same = InboxMail.objects.filter(is_due, pk=mail.pk, attempts=mail.attempts)
        later = Now() + delay_after(mail.attempts + 1)
        if same.update(attempts=F("attempts") + 1, not_before=later):
            yield mail
