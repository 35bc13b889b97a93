from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction
from typing import Any

from django.db import transaction

from tasks.campaigns.workflow.campaign import SETTINGS, WORKING, change_settings
from tasks.campaigns.workflow.slots import set_overlap
from tasks.intake.queries import imported_matchers
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.models import ExactAnswers, ItemOrder, SuggestionPolicy
from tasks.prefill.queries.matchers import require_matcher_name
from tasks.protocols.wording import wordings
from tomahto.matching.registry import matcher_names
from tomahto.text.normalisation import plain_name

_NONE = -1  # what the word `none` is read as


class Command(TomahtoCommand):
    help = "Change settings of a campaign; the others stay as they are."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--title")
        parser.add_argument("--description")
        parser.add_argument(
            "--language", metavar="CODE", help="language of items and guidelines, such as zh-Hant"
        )
        parser.add_argument("--state", choices=WORKING)
        parser.add_argument(
            "--exact-rule",
            choices=ExactAnswers.values,
            help="rule by which answers imported from now on are right without a rating: strict "
            "keeps signs and symbols, squad is the normal form of SQuAD, as in Bulian et al. "
            "2022",
        )
        parser.add_argument("--suggestions", choices=SuggestionPolicy.values)
        parser.add_argument(
            "--suggestion-matcher",
            metavar="NAME",
            help=f"one of {', '.join(matcher_names())}, or one that the campaign has trained, such "
            "as feather@SLUG",
        )
        parser.add_argument("--overlap", type=int, metavar="K", help="ratings per item")
        parser.add_argument("--order", choices=ItemOrder.values, dest="item_order")
        parser.add_argument("--rater-quota", type=_number_or_none, metavar="N|none")
        parser.add_argument("--control-every", type=int, metavar="N", help="0: no control items")
        parser.add_argument(
            "--shows-differences",
            action=BooleanOptionalAction,
            help="underline the words in which two answers differ",
        )
        parser.add_argument(
            "--passages-are-markdown",
            action=BooleanOptionalAction,
            help="show passages with layout, tables and formulas instead of as plain text",
        )
        parser.add_argument(
            "--form-languages",
            metavar="CODES",
            help="languages of the form besides English, separated by blanks: "
            f"{', '.join(wordings())}",
        )
        parser.add_argument(
            "--adjudicates-blind",
            action=BooleanOptionalAction,
            help="adjudicators judge an item before they see its votes",
        )
        parser.add_argument("--mail-sender-name", metavar="NAME", help="empty: the site's name")
        parser.add_argument(
            "--mail-reply-to", metavar="ADDRESS", help="for replies to e-mails; empty: none"
        )
        parser.add_argument(
            *("--system-overlap", "-s"),
            type=_system_overlap,
            action="append",
            default=[],
            metavar="NAME=K|none",
            help="ratings for each item of a system; may be repeated",
        )

    @transaction.atomic
    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        given = {name: options[name] for name in SETTINGS if options[name] is not None}
        if given.get("rater_quota") == _NONE:
            given["rater_quota"] = None
        name = given.get("suggestion_matcher")
        if name is not None and name not in imported_matchers(campaign):
            require_matcher_name(campaign, name)
        change_settings(campaign=campaign, changes=given)
        overlaps = dict(options["system_overlap"])
        systems = campaign.systems.order_by("name").values_list("name", "overlap")
        if strangers := sorted(overlaps.keys() - dict(systems)):
            raise LookupError(f"the campaign has no system {strangers[0]!r}")
        set_overlap(campaign=campaign, overlaps=overlaps)
        settings = {name: getattr(campaign, name) for name in SETTINGS}
        return settings | {"system_overlap": dict(systems.all())}


def _number_or_none(text: str) -> int:
    if text == "none":
        return _NONE
    if not text.isdecimal():
        raise ArgumentTypeError(f"{text!r} is neither a whole number nor none")
    return int(text)


def _system_overlap(text: str) -> tuple[str, int | None]:
    name, equals, number = text.rpartition("=")
    if not (equals and name):
        raise ArgumentTypeError(f"{text!r} is not NAME=K")
    overlap = _number_or_none(number)
    return plain_name(name), None if overlap == _NONE else overlap
