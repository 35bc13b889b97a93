"""Threads of raters and admins about items, inboxes, and mails about them by choice."""

import django.db.models.deletion
import django.db.models.functions.datetime
import uuid
from django.apps.registry import Apps
from django.conf import settings
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

_AT_ONCE = 1000  # rows


def open_threads_of_flags(apps: Apps, _editor: BaseDatabaseSchemaEditor) -> None:
    """Every flag of before is the beginning of a thread. How it was settled stays with the flag:
    admins wrote that for each other, and it may tell what others said of the item."""
    flag, thread, message = (
        apps.get_model("tasks", name) for name in ("Flag", "Thread", "Message")
    )
    opened: dict[tuple[int, int], int] = {}
    waiting = []
    # a rater has one open flag on an item at a time, so these are in the order of time as well
    for each in flag.objects.order_by("pk").iterator():
        place = each.item_id, each.rater_id
        if place not in opened:
            opened[place] = thread.objects.create(
                item_id=each.item_id, rater_id=each.rater_id, created_at=each.created_at
            ).pk
        waiting.append(
            message(
                thread_id=opened[place],
                author_id=each.rater_id,
                kind="flag",
                text=each.reason,
                idempotency_key=f"flag-{each.pk}",
                created_at=each.created_at,
            )
        )
        if each.settled_at:
            waiting.append(
                message(
                    thread_id=opened[place],
                    author_id=each.settled_by_id,
                    kind="settled",
                    idempotency_key=f"settled-{each.pk}",
                    created_at=each.settled_at,
                )
            )
        if len(waiting) >= _AT_ONCE:
            message.objects.bulk_create(waiting)
            waiting = []
    message.objects.bulk_create(waiting)


def forget_events(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """What webhooks were to be told of messages: an earlier version knows no such event."""
    delivery, event = (apps.get_model("tasks", name) for name in ("Delivery", "Event"))
    delivery.objects.filter(event__kind="message.written").delete()
    event.objects.filter(kind="message.written").delete()
    editor.connection.check_constraints()  # PostgreSQL alters no table that still has to be


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("tasks", "0002_item_intended"),
    ]

    operations = [
        migrations.CreateModel(
            name="InboxMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                (
                    "not_before",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                ("sent_at", models.DateTimeField(null=True)),
                ("error", models.TextField(blank=True)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("flag", "Flag"),
                            ("words", "Message"),
                            ("settled", "Flag settled"),
                        ],
                        max_length=20,
                    ),
                ),
                ("text", models.TextField(blank=True, max_length=2000)),
                ("idempotency_key", models.CharField(default=uuid.uuid4, max_length=100)),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("is_mention", models.BooleanField(default=False)),
                ("read_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Thread",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "created_at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), editable=False
                    ),
                ),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="event",
            name="event_kind_known",
        ),
        migrations.AddField(
            model_name="user",
            name="message_mails",
            field=models.CharField(
                choices=[
                    ("none", "None"),
                    ("daily", "Once a day, if there is something new"),
                    ("at-once", "At once"),
                ],
                db_default="none",
                default="none",
                max_length=10,
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="message_mails_since",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AlterField(
            model_name="event",
            name="kind",
            field=models.CharField(
                choices=[
                    ("rating.stored", "A rating was stored"),
                    ("rating.revised", "A rating was revised"),
                    ("item.completed", "An item has all its ratings"),
                    ("campaign.completed", "Every item has all its ratings"),
                    ("adjudication.decided", "An adjudicator decided"),
                    ("release.published", "A release was published"),
                    ("release.withdrawn", "A release was withdrawn"),
                    ("job.done", "A job is done"),
                    ("job.failed", "A job failed"),
                    ("import.done", "A file was imported"),
                    ("alert.raised", "An alert was raised"),
                    ("message.written", "A message was written"),
                    ("webhook.tried", "A trial"),
                ],
                max_length=40,
            ),
        ),
        migrations.AddConstraint(
            model_name="event",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    (
                        "kind__in",
                        [
                            "rating.stored",
                            "rating.revised",
                            "item.completed",
                            "campaign.completed",
                            "adjudication.decided",
                            "release.published",
                            "release.withdrawn",
                            "job.done",
                            "job.failed",
                            "import.done",
                            "alert.raised",
                            "message.written",
                            "webhook.tried",
                        ],
                    )
                ),
                name="event_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(("message_mails__in", ["none", "daily", "at-once"])),
                name="message_mails_known",
            ),
        ),
        migrations.AddField(
            model_name="inboxmail",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="author",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="tasks.membership",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="mail",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="notices",
                to="tasks.inboxmail",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="member",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="notices",
                to="tasks.membership",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="message",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="notices",
                to="tasks.message",
            ),
        ),
        migrations.AddField(
            model_name="thread",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="threads", to="tasks.item"
            ),
        ),
        migrations.AddField(
            model_name="thread",
            name="rater",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="threads",
                to="tasks.membership",
            ),
        ),
        migrations.AddField(
            model_name="notice",
            name="thread",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="notices",
                to="tasks.thread",
            ),
        ),
        migrations.AddField(
            model_name="message",
            name="thread",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="messages",
                to="tasks.thread",
            ),
        ),
        migrations.AddIndex(
            model_name="inboxmail",
            index=models.Index(
                condition=models.Q(("sent_at", None)), fields=["not_before"], name="unsent_mails"
            ),
        ),
        migrations.AddConstraint(
            model_name="thread",
            constraint=models.UniqueConstraint(
                fields=("item", "rater"), name="one_thread_per_item_and_rater"
            ),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(fields=["member", "thread", "id"], name="notices_of_member"),
        ),
        migrations.AddIndex(
            model_name="notice",
            index=models.Index(
                condition=models.Q(("read_at", None)),
                fields=["member", "thread"],
                name="unread_notices",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(
                fields=("message", "member"), name="one_notice_per_message_and_member"
            ),
        ),
        migrations.AddIndex(
            model_name="message",
            index=models.Index(fields=["author", "created_at"], name="messages_of_author"),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.UniqueConstraint(
                fields=("author", "idempotency_key"), name="message_key_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__in", ["flag", "words", "settled"])),
                name="message_kind_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="message",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind", "settled"), models.Q(("text", ""), _negated=True), _connector="OR"
                ),
                name="message_has_a_text",
            ),
        ),
        migrations.RunPython(open_threads_of_flags, forget_events),
    ]
