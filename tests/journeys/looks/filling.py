"""The demo with more in it, so that every page has something to show; runs in the site's process.

What people do in it is done by the product's own workflow.
"""

import json
from pathlib import Path
from typing import Any, cast

from django.test import Client

from exporters.plan import ReleasePlan
from tasks.access.workflow import two_factor
from tasks.adjudication.workflow import adjudicate, store_first_look
from tasks.agreement.workflow.alerts import raise_after_look, raise_trial
from tasks.agreement.workflow.assessment import assess
from tasks.agreement.workflow.looks import look_if_due
from tasks.campaigns.workflow.campaign import add_member
from tasks.campaigns.workflow.lives import archive
from tasks.demo.workflow import load_demo
from tasks.evaluations.queries.benchmark import known_questions
from tasks.evaluations.workflow.submissions import submit_predictions, withdraw_submission
from tasks.events.workflow.webhooks import add_webhook, try_webhook
from tasks.explorer.workflow.acts.acts import do_act
from tasks.explorer.workflow.acts.plan import ActKind, Options
from tasks.explorer.workflow.views import save_view
from tasks.jobs.work import run_job
from tasks.models import (
    Assignment,
    AuthenticatorApp,
    Campaign,
    Job,
    JobKind,
    Look,
    Membership,
    Release,
    Role,
    Thread,
    User,
    Webhook,
)
from tasks.people.workflow.consent import give_consent
from tasks.people.workflow.invitation_mails import Recipient, invite_by_mail
from tasks.people.workflow.invitations import invite, revoke
from tasks.people.workflow.personal_invitations import invite_person
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.flags import raise_flag, settle_flag
from tasks.rating.workflow.rating import submit_rating
from tasks.releases.workflow.release import publish_release
from tasks.releases.workflow.withdrawal import withdraw_release
from tasks.talk.queries.unsubscribing import token_of
from tasks.talk.workflow.messages import write_message
from tasks.training.queries import run_of
from tasks.training.workflow import configure_calibration, start_attempt
from tests.evaluations import plan, sample_report, store
from tests.evaluations import run_job as run_evaluation
from tests.factories import PASSWORD, make_campaign, make_item, make_user
from tests.journeys.looks.addresses import (
    ADMIN,
    CAREFUL,
    NEWCOMER,
    RATER,
    READER,
    RESEARCHER,
)
from tests.journeys.looks.background import work_in_the_background
from tests.simulated_suggestions import simulate
from tomahto.lab.sections import SECTIONS

DEMO = Path(__file__).parents[3] / "demo"
LONG_NAME = "a-long-name-of-a-host-" * 3 + "x"
BACKEND = "django.contrib.auth.backends.ModelBackend"


def fill(folder: Path) -> dict[str, Any]:
    """`ids` for the addresses, and the cookies of `sessions` by their people."""
    load_demo(DEMO)
    campaign, classes = (Campaign.objects.get(slug=slug) for slug in ("demo-ae", "demo-cap"))
    admin = campaign.memberships.get(user__username=ADMIN)
    rater = campaign.memberships.get(user__username=RATER)
    add_member(campaign=campaign, user=make_user(READER), role=Role.RESEARCHER)
    for job in campaign.jobs.filter(parameters__name__in=("em", "f1")):
        run_job(job.pk)
    _act(campaign, admin)
    ids = {
        "slug": campaign.slug,
        "classes": classes.slug,
        **_rate(campaign, admin, rater),
        **_decide(campaign),
        **_alert(campaign, admin),
        **_release(campaign, folder, admin),
        **_evaluate(campaign),
        **work_in_the_background(campaign),
        **_invite(campaign, admin),
        **_calibrate(classes),
        **_other_campaigns(admin),
    }
    assess(campaign=campaign)
    assess(campaign=classes)
    return {"ids": ids, "sessions": _sessions()}


def _rate(campaign: Campaign, admin: Membership, rater: Membership) -> dict[str, Any]:
    """Some ratings of a rater and of an admin, flags and what is written about them."""
    for member in (rater, admin):
        give_consent(membership=member, version=1)
        for number in range(3):
            rated = _rate_next(member, str(number))
            if member == rater and number:
                flag = raise_flag(assignment=rated, reason="The passage stops short.")
    settle_flag(flag=flag, by=admin, settlement="It was completed.")
    thread = Thread.objects.filter(item__campaign=campaign).latest("pk")
    for number, (author, text) in enumerate(
        [(rater, "Should I rate it once more?"), (admin, f"No, thank you. @{RATER}")]
    ):
        write_message(thread=thread, author=author, text=text, idempotency_key=f"words-{number}")
    return {
        "rated": Assignment.objects.filter(rater=rater, state="submitted").latest("pk").pk,
        "item": thread.item_id,
        "thread": thread.pk,
        "member": rater.pk,
        "pseudonym": rater.pseudonym,
        "stop": token_of(cast(User, rater.user)),
    }


def _rate_next(member: Membership, key: str) -> Assignment:
    claim = claim_item(membership=member)
    assert claim is not None
    submit_rating(
        assignment_id=claim.assignment_id,
        membership=member,
        seconds=20,
        answers={"q1": "no", "q2": "yes"},
        idempotency_key=key,
        comment="a close call",
    )
    return Assignment.objects.get(pk=claim.assignment_id)


def _decide(campaign: Campaign) -> dict[str, Any]:
    """Of items that raters disagree about one is decided, and one has been looked at."""
    researcher = campaign.memberships.get(user__username=RESEARCHER)
    labels: dict[int, set[str]] = {}
    for number, outcome in campaign.items.filter(ratings__isnull=False).values_list(
        "pk", "ratings__outcome"
    ):
        labels.setdefault(number, set()).add(outcome)
    decided, looked_at, disputed, *_others = (
        number for number, said in labels.items() if len(said) > 1
    )
    answers = {"q1": "no", "q2": "yes"}
    for item in campaign.items.filter(pk__in=(decided, looked_at)):
        store_first_look(item=item, adjudicator=researcher, answers=answers)
    adjudicate(
        item=campaign.items.get(pk=decided),
        adjudicator=researcher,
        answers=answers,
        reason="The passage says so in its first sentence.",
        idempotency_key="decision",
    )
    return {"disputed": disputed, "looked_at": looked_at}


def _alert(campaign: Campaign, admin: Membership) -> dict[str, Any]:
    raise_trial(campaign=campaign, by=admin)
    low = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 80, "level": 0.025}
    findings = json.dumps({"alpha": low})
    raise_after_look(
        look=Look.objects.create(
            campaign=campaign, number=1, ratings=160, level=0.025, findings=findings
        )
    )
    hooks = [
        add_webhook(
            campaign=campaign, url=f"https://{name}.example.org/hook", events=["job.failed"]
        )
        for name in ("meadow", LONG_NAME)
    ]
    try_webhook(webhook=hooks[1])
    # as after the site has lost its secret key
    lost = add_webhook(campaign=campaign, url="https://lost.example.org/", events=["job.done"])
    Webhook.objects.filter(pk=lost.pk).update(sealed_url="lost", sealed_secret="lost")
    return {"webhook": hooks[1].pk, "lost": lost.pk}


def _act(campaign: Campaign, admin: Membership) -> None:
    """A tag on some items, and a view that finds them."""
    do_act(
        member=admin,
        kind=ActKind.TAG,
        items=list(campaign.items.values_list("pk", flat=True)[:5]),
        options=Options(tag="to be read again"),
        idempotency_key="tag",
    )
    save_view(member=admin, name="To be read again", query="tag=to+be+read+again", is_shared=True)


def _release(campaign: Campaign, folder: Path, admin: Membership) -> dict[str, Any]:
    """Three versions, one of them withdrawn, and submissions to the leaderboard of the first."""
    splits = {
        "1.0.0": "document:dev=50,test=50",
        "2.0.0": "document:train=100",
        "2.0.1": "document:train=100",
    }
    releases = {
        version: publish_release(
            campaign=campaign,
            out=folder / version,
            plan=ReleasePlan(version=version, split=split, seed=0),
        )
        for version, split in splits.items()
    }
    withdraw_release(release=releases["2.0.1"], reason="Names are in it.", by=admin)
    return {"submission": _submit(releases["1.0.0"], admin)}


def _submit(release: Release, admin: Membership) -> int:
    campaign = release.campaign
    known = known_questions(release, "test")
    names = ("far from the sea", "in the northern hills", "withdrawn " * 10)
    submissions = [
        submit_predictions(
            release=release,
            name=name,
            description="a large one " * 20,
            split="test",
            content=json.dumps(dict.fromkeys(known, name)).encode(),
            by=admin,
            file_name="predictions.json",
        )
        for name in names
    ]
    withdraw_submission(submission=submissions[2], reason="It was trained on it.", by=admin)
    for queued in Job.objects.filter(campaign=campaign, kind=JobKind.SUBMISSION):
        run_job(queued.pk)
    return submissions[0].pk


def _evaluate(campaign: Campaign) -> dict[str, Any]:
    """A real report, and one with every kind of cell and chart."""
    run_evaluation(campaign, plan(metrics=("em", "f1"), sections=tuple(SECTIONS)))
    return {
        "evaluation": campaign.evaluations.latest("pk").pk,
        "sample": store(campaign, sample_report()).pk,
    }


def _invite(campaign: Campaign, admin: Membership) -> dict[str, Any]:
    _invitation, secret = invite(campaign=campaign, note="for the spring course", max_uses=20)
    ended, secret_of_ended = invite(campaign=campaign, note="for the autumn course")
    revoke(invitation=ended)
    _study, secret_of_study = invite(campaign=campaign, kind="crowd", note="a study elsewhere")
    invite_by_mail(
        campaign=campaign,
        recipients=[Recipient("willow@example.org", "Willow"), Recipient("ash@example.org")],
        by=admin.user,
    )
    for name in ("fern.miller", LONG_NAME):
        invite_person(campaign=campaign, name=name, role=Role.RATER, by=admin.user)
    return {"secret": secret, "ended": secret_of_ended, "crowd": secret_of_study}


def _calibrate(classes: Campaign) -> dict[str, Any]:
    """Who has agreed there, and is to be calibrated."""
    configure_calibration(campaign=classes, is_required=True, pass_percent=80, attempts=3)
    newcomer = add_member(campaign=classes, user=make_user(NEWCOMER), role=Role.RATER)
    admin = classes.memberships.get(user__username=ADMIN)
    for member in (newcomer, admin):
        give_consent(membership=member, version=1)
    run = run_of(start_attempt(membership=newcomer))
    assert run.next_item is not None
    return {"known": run.next_item.pk}


def _other_campaigns(admin: Membership) -> dict[str, Any]:
    steered = simulate("steered", items=60, effect=0.3)
    look_if_due(campaign=steered, ratings=180)
    empty = make_campaign("empty", title="Nothing in it yet")
    archived = make_campaign("archived", title="Done with")
    make_item(archived)
    for campaign in (steered, empty, archived):
        add_member(campaign=campaign, user=cast(User, admin.user), role=Role.ADMIN)
    archive(campaign=archived)
    closed = make_campaign("closed", title="Of somebody else")
    other = add_member(campaign=closed, user=make_user("someone.else"), role=Role.ADMIN)
    invite_person(campaign=closed, name=ADMIN, role=Role.RATER, by=other.user)
    return {
        "steered": steered.slug,
        "empty": empty.slug,
        "archived": archived.slug,
        "closed": closed.slug,
    }


def _sessions() -> dict[str, str]:
    """The value of the cookie of each person's session."""
    sessions = {}
    for username in (ADMIN, RESEARCHER, READER, RATER, NEWCOMER):
        client = Client()
        client.force_login(User.objects.get(username=username), backend=BACKEND)
        sessions[username] = client.cookies["sessionid"].value
    return {**sessions, CAREFUL: _session_before_the_code()}


def _session_before_the_code() -> str:
    user = make_user(CAREFUL)
    two_factor.begin(user=user)
    AuthenticatorApp.objects.filter(user=user).update(confirmed=True)
    client = Client(SERVER_NAME="127.0.0.1")
    client.post("/login/", {"username": CAREFUL, "password": PASSWORD})
    return client.cookies["sessionid"].value
