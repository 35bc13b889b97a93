from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.management.command import TomahtoCommand, add_narrowing, narrowed_campaign


class Command(TomahtoCommand):
    help = "Compute the agreement of a campaign's raters."

    def arguments(self, parser: ArgumentParser) -> None:
        add_narrowing(parser)

    def work(self, **options: Any) -> dict[str, Any]:
        return agreement_of(narrowed_campaign(options)).as_json()

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        """As every command, but a line for each question."""
        yield from super().describe({key: result[key] for key in result if key != "questions"})
        for key, question in result["questions"].items():
            yield from super().describe({f"question {key}": question})
