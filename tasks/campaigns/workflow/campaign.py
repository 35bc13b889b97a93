"""Setting up a campaign: itself, its guidelines, its people and those whom files name."""

import hashlib
import hmac
import re
import secrets
import unicodedata
from base64 import b32encode
from collections.abc import Collection, Mapping
from itertools import chain, count

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from tasks.campaigns.workflow.slots import follow_settings
from tasks.models import (
    ApiToken,
    AuditAction,
    Campaign,
    CampaignState,
    Guideline,
    Invitation,
    Membership,
    Role,
    SuggestionPolicy,
    User,
)
from tasks.protocols import default_guidelines
from tasks.storing.acts import changes as audited_changes
from tasks.storing.acts import record
from tasks.storing.plan import Plan
from tasks.storing.refusals import require_not_archived
from tomahto.text.normalisation import plain_name

SETTINGS = (
    *("title", "description", "language", "state", "suggestions", "suggestion_matcher"),
    *("overlap", "exact_rule", "item_order", "rater_quota", "control_every"),
    *("shows_differences", "passages_are_markdown", "form_languages", "adjudicates_blind"),
    *("mail_sender_name", "mail_reply_to"),
)
"""The fields of a campaign that may change while it runs, as `change_settings` takes them."""
WORKING = (CampaignState.OPEN, CampaignState.PAUSED)
"""The states that settings change between; archiving is an act of its own."""


class CampaignError(ValueError):
    """A campaign, guideline or membership that cannot be; told in one line."""


@transaction.atomic
def create_campaign(
    *,
    slug: str,
    protocol: str,
    overlap: int,
    title: str = "",
    description: str = "",
    suggestions: str = SuggestionPolicy.HIDDEN,
    created_by: User | None = None,
) -> Campaign:
    """A new campaign with the protocol's default guidelines; its maker becomes its admin.

    Raises django.core.exceptions.ValidationError naming the field that is wrong.
    """
    campaign = Campaign(
        slug=slug,
        title=title or slug,
        description=description,
        protocol=protocol,
        overlap=overlap,
        suggestions=suggestions,
        created_by=created_by,
    )
    campaign.full_clean()
    campaign.save()
    publish_guideline(campaign=campaign, text=default_guidelines(protocol))
    if created_by is not None:
        add_member(campaign=campaign, user=created_by, role=Role.ADMIN)
    details = {"protocol": protocol, "overlap": overlap, "suggestions": str(suggestions)}
    record(
        AuditAction.CAMPAIGN_CREATED, campaign=campaign, subject=("campaign", slug), details=details
    )
    return campaign


@transaction.atomic
def change_settings(*, campaign: Campaign, changes: Mapping[str, object]) -> None:
    """Raises django.core.exceptions.ValidationError naming the field that is wrong, and
    CampaignArchived."""
    # a new state would hide from `record` that it was archived, perhaps at this moment
    locked = Campaign.objects.select_for_update(no_key=True).only("slug", "state")
    require_not_archived(locked.get(pk=campaign.pk))
    # the caller's object may hold the new values already, as that of a form does
    before = Campaign.objects.filter(pk=campaign.pk).values(*changes).get() if changes else {}
    for name, value in changes.items():
        setattr(campaign, name, value)
    campaign.full_clean()
    campaign.save(update_fields=list(changes))
    follow_settings(campaign=campaign, changed=changes.keys())
    if details := audited_changes(before, changes)["changes"]:
        # a completion code is worth money to whoever has not done the work
        for name in details.keys() & {"completion_code", "completion_url"}:
            details[name] = ["…" if value else "" for value in details[name]]
        record(AuditAction.SETTINGS_CHANGED, campaign=campaign, details={"changes": details})


@transaction.atomic
def publish_guideline(*, campaign: Campaign, text: str) -> Guideline:
    """The next version of the guidelines, in force from now on; equal text changes nothing."""
    text = text.replace("\r\n", "\n").strip() + "\n"
    if campaign.guideline is not None and campaign.guideline.text == text:
        return campaign.guideline
    last = Guideline.objects.filter(campaign=campaign).aggregate(last=Max("version"))["last"]
    guideline = Guideline.objects.create(campaign=campaign, version=(last or 0) + 1, text=text)
    campaign.guideline = guideline
    campaign.save(update_fields=["guideline"])
    record(
        AuditAction.GUIDELINES_PUBLISHED,
        campaign=campaign,
        subject=("guidelines", f"version {guideline.version}"),
        details={"sha256": hashlib.sha256(text.encode()).hexdigest()},
    )
    return guideline


@transaction.atomic
def add_member(
    *, campaign: Campaign, user: User, role: str, invitation: Invitation | None = None
) -> Membership:
    """Make the user a member, by this invitation, or give an existing member this role."""
    before = Membership.objects.filter(campaign=campaign, user=user).first()
    defaults: dict[str, object] = {"role": role, "is_active": True}
    if before and before.role != Role.RATER and role == Role.RATER:
        # they could see votes until now
        defaults |= {"votes_seen_until": Now(), "has_been_more": True}
    membership, _created = Membership.objects.update_or_create(
        campaign=campaign,
        user=user,
        defaults=defaults,
        create_defaults={
            "role": role,
            "name": _free_name(campaign, user.username),
            "pseudonym": _pseudonym(secrets.token_bytes(16)),
            "invitation": invitation,
        },
    )
    details: dict[str, object] = {"role": role}
    if before is not None:
        details = audited_changes(
            {"role": before.role, "is_active": before.is_active}, {"role": role, "is_active": True}
        )
    elif invitation is not None:
        details["invitation"] = invitation.pk
    subject = ("member", membership.name)
    record(AuditAction.MEMBER_ADDED, campaign=campaign, subject=subject, details=details)
    return membership


@transaction.atomic
def create_member(*, campaign: Campaign, username: str, role: str) -> tuple[str, str]:
    """A new account in the campaign; returns its password and its API token, shown this once.

    Its name is stored as the login reads names: without full width and ligatures (NFKC).

    Raises CampaignError if the account is there already, and ValidationError for a bad name.
    """
    username = User.normalize_username(username)
    if User.objects.filter(username=username).exists():
        raise CampaignError(_taken(username))
    password = secrets.token_urlsafe(12)
    user = User(username=username)
    user.set_password(password)
    user.full_clean()
    try:
        user.save()
    except IntegrityError as error:  # somebody made it a moment ago
        raise CampaignError(_taken(username)) from error
    token = ApiToken.issue(user)
    add_member(campaign=campaign, user=user, role=role)
    for action in (AuditAction.ACCOUNT_CREATED, AuditAction.TOKEN_MADE):
        record(action, campaign=campaign, subject=("account", username))
    return password, token


def _taken(username: str) -> str:
    return _("an account '%(name)s' already exists") % {"name": username}


def _free_name(campaign: Campaign, username: str) -> str:
    """The user's name in the campaign: another one if imported ratings have a rater so named, or
    one whose name could be taken for it."""
    members = Membership.objects.filter(campaign=campaign)
    taken = set(members.filter(name__startswith=username).values_list("name", flat=True))
    imported = set(map(spelled, members.filter(user=None).values_list("name", flat=True)))
    candidates = chain([username], (f"{username} ({number})" for number in count(2)))
    return next(name for name in candidates if name not in taken and spelled(name) not in imported)


_PSEUDONYM = re.compile(r"r-[a-z2-7]{10}")
_HYPHENS = dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-")
_UNSEEN = ("Cf", "Cn", "Co", "Cs")
_EMPTY_SIGNS = "\U00016fe4\U0001d159"  # a filler of Khitan, a note without a head
# what the public AE format has in the place of names: the n-th rating of an item
_PLACE = re.compile(r"ae-[1-9][0-9]*")


class NamedPeople:
    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._secret = _secret_of(plan.campaign)
        members = Membership.objects.filter(campaign=plan.campaign, user__isnull=False)
        self._with_account = {
            spelled(name): member
            for member in members.select_related("user")
            for name in (member.name, member.pseudonym, member.user and member.user.username)
            if name
        }

    def members(self, names: Collection[str]) -> dict[str, Membership]:
        """The member of each name; those whom nobody knows are planned, without an account.

        A pseudonym of this campaign names whose it is: its own release brings nobody new. A name
        that could be taken for that of somebody with an account is theirs, unless somebody without
        one had exactly that name before: a person who came later has got another one here.
        """
        pseudonyms = {name: pseudonym_of_import(self._secret, name) for name in names}
        found = self._plan.find(
            Membership.objects.filter(campaign=self._plan.campaign),
            name=names,
            pseudonym=pseudonyms.values(),
        ).values()
        known = {member.name: member for member in found}
        by_pseudonym = {member.pseudonym: member for member in found}
        members = {
            name: by_pseudonym.get(pseudonym)
            or known.get(name)
            or self._with_account.get(spelled(name))
            or Membership(campaign=self._plan.campaign, name=name, pseudonym=pseudonym)
            for name, pseudonym in pseudonyms.items()
        }
        self._plan.add([member for member in members.values() if member.pk is None])
        return members


def why_not_imported(name: str) -> str:
    return (
        f"{name!r} is a member with an account: only their own ratings in this campaign can be "
        "imported"
    )


def pseudonym_of_import(secret: str, name: str) -> str:
    """The pseudonym of somebody whom a file names, in the campaign with this secret.

    Without the secret nobody can find out a name by trying many. A name that is a pseudonym already
    stays, so that an imported release keeps its raters. So do places in files of the public AE
    format, which name nobody, the same in every campaign.
    """
    if _PSEUDONYM.fullmatch(name):
        return name
    text = f"rater {name}".encode()
    if _PLACE.fullmatch(name):
        return _pseudonym(hashlib.sha256(text).digest())
    return _pseudonym(hmac.digest(secret.encode(), text, "sha256"))


def spelled(name: str) -> str:
    """One spelling for names that differ in case, width, blanks, kinds of hyphen and signs that are
    not seen."""
    folded = unicodedata.normalize("NFKC", name.translate(_HYPHENS)).casefold()
    seen = "".join(
        each
        for each in folded
        if unicodedata.category(each) not in _UNSEEN and each not in _EMPTY_SIGNS
    )
    return " ".join(plain_name(unicodedata.normalize("NFKC", seen)).split())


def _secret_of(campaign: Campaign) -> str:
    """It stays as it is once it is there. The code of before makes campaigns without one."""
    if not campaign.pseudonym_secret:
        stored = Campaign.objects.filter(pk=campaign.pk)
        stored.filter(pseudonym_secret="").update(pseudonym_secret=secrets.token_hex())
        campaign.pseudonym_secret = stored.values_list("pseudonym_secret", flat=True).get()
    return campaign.pseudonym_secret


def _pseudonym(entropy: bytes) -> str:
    return "r-" + b32encode(entropy).decode().lower()[:10]
