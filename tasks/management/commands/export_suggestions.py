import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from tasks.management.command import TomahtoCommand, campaign_named, output_file
from tasks.models import Suggestion
from tasks.prefill.queries.suggestions import suggestions_of
from tomahto.text.normalisation import plain_name


class Command(TomahtoCommand):
    help = (
        "Write the scores that matchers gave a campaign's items, one JSON line each: the item's "
        "fields, matcher, version, score, accepted, and the explanation of the score if the "
        "matcher has one."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE")
        parser.add_argument(
            "--matcher",
            type=plain_name,
            metavar="NAME",
            help="only the suggestions of this matcher",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        count = 0
        with output_file(options["out"]) as file:
            for suggestion in self.counted(
                suggestions_of(campaign, options["matcher"]), "suggestions"
            ):
                file.write(json.dumps(_line(suggestion), ensure_ascii=False) + "\n")
                count += 1
            if not count:
                wanted = f" of {options['matcher']}" if options["matcher"] else ""
                raise CommandError(f"{campaign.slug} has no suggestions{wanted}")
        return {"suggestions": count, "path": str(options["out"])}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield "{suggestions:,} suggestions written to {path}".format(**result)


def _line(suggestion: Suggestion) -> dict[str, Any]:
    item = suggestion.item
    line = {
        "id": item.key,
        "document": item.question.document.key,
        "question": item.question.text,
        "context": item.question.context,
        "references": item.references,
        "candidate": item.candidate,
        "systems": sorted(each.system.name for each in item.item_systems.all()),
        "matcher": suggestion.matcher,
        "version": suggestion.version,
        "score": suggestion.score,
        "accepted": suggestion.is_correct,
    }
    if suggestion.explanation is not None:
        line["explanation"] = suggestion.explanation
    return line
