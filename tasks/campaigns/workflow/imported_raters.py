"""Those whom files name as raters or adjudicators: members without an account."""

import hashlib
import hmac
import re
import secrets
import unicodedata
from base64 import b32encode
from collections.abc import Collection

from tasks.models import Campaign, Membership
from tasks.storing.plan import Plan
from tomahto.text.plain_name import plain_name

_PSEUDONYM = re.compile(r"r-[a-z2-7]{10}")
_HYPHENS = dict.fromkeys([*range(0x2010, 0x2016), 0x2212], "-")
_UNSEEN = ("Cf", "Cn", "Co", "Cs")
_EMPTY_SIGNS = "\U00016fe4\U0001d159"  # a filler of Khitan, a note without a head
# what the public AE format has in the place of names: the n-th rating of an item
_PLACE = re.compile(r"ae-[1-9][0-9]*")


class NamedPeople:
    """Whom the names in a file stand for."""

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
    """Why a file may not bring what somebody with an account has not said."""
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


def random_pseudonym() -> str:
    return _pseudonym(secrets.token_bytes(16))


def spelled(name: str) -> str:
    """One spelling for names that differ in case, width, blanks, kinds of hyphen and signs that are
    not seen."""
    folded = unicodedata.normalize("NFKC", name.translate(_HYPHENS)).casefold()
    seen = "".join(each for each in folded if _is_seen(each))
    return " ".join(plain_name(unicodedata.normalize("NFKC", seen)).split())


def _is_seen(character: str) -> bool:
    return unicodedata.category(character) not in _UNSEEN and character not in _EMPTY_SIGNS


def _secret_of(campaign: Campaign) -> str:
    """It stays as it is once it is there. The code of before makes campaigns without one."""
    if not campaign.pseudonym_secret:
        stored = Campaign.objects.filter(pk=campaign.pk)
        stored.filter(pseudonym_secret="").update(pseudonym_secret=secrets.token_hex())
        campaign.pseudonym_secret = stored.values_list("pseudonym_secret", flat=True).get()
    return campaign.pseudonym_secret


def _pseudonym(entropy: bytes) -> str:
    return "r-" + b32encode(entropy).decode().lower()[:10]
